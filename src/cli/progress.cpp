#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "base/columns.h"
#include "base/utf8.h"
#include "cli/console.h"

namespace awdit::cli {
namespace {

// Shared with the signal handler, which may use nothing but these, the work,
// ioctl() and write(). The timer is off while they change.
char line[128];
volatile std::sig_atomic_t line_size = 0;
volatile std::sig_atomic_t ticks = 0;  // quarters of a second in this stage
volatile std::sig_atomic_t shown = 0;
volatile std::sig_atomic_t width = 80;  // of the terminal

// The escape sequence that a line begins with: the line before it goes.
constexpr std::string_view kErase = "\r\x1b[K";

// "845 MB", "1.1 of 2.7 GB": in the unit of `largest`.
struct Amount {
  std::uint64_t bytes;
  std::uint64_t largest;
  bool named;  // with the unit
};

char* write_amount(char* out, const Amount& amount) {
  const bool giga = amount.largest >= 1'000'000'000;
  const std::uint64_t unit = giga ? 1'000'000'000 : 1'000'000;
  const std::uint64_t tenths = amount.bytes / (unit / 10);
  out = fmt::format_to(out, "{}", tenths / 10);
  if (giga && tenths < 100) out = fmt::format_to(out, ".{}", tenths % 10);
  if (!amount.named) return out;
  return fmt::format_to(out, "{}", giga ? " GB" : " MB");
}

// How many bytes of a line stay on one line of the terminal, which may have
// been made narrower since the stage began.
std::size_t fitting(std::string_view text) {
  auto most = static_cast<std::size_t>(width);
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) {
    most = std::min<std::size_t>(most, size.ws_col);
  }
  text.remove_prefix(kErase.size());
  return kErase.size() + first_columns(text, most - 1).size();
}

void tick(int) {
  const int saved = errno;
  const int now = ticks + 1;
  ticks = now;
  if (line_size != 0 && now >= 4) {
    char text[sizeof line + 128];  // the stage, progress_text
    auto size = static_cast<std::size_t>(line_size);
    std::memcpy(text, line, size);
    const Work& state = current_work();
    const std::string_view* at = state.at.load(std::memory_order_relaxed);
    size += progress_text(at == nullptr ? std::string_view() : *at,
                          state.done.load(std::memory_order_relaxed),
                          state.total.load(std::memory_order_relaxed),
                          static_cast<std::uint64_t>(now), text + size);
    shown = 1;
    if (write(STDERR_FILENO, text, fitting({text, size})) < 0) line_size = 0;
  }
  errno = saved;
}

void set_timer(bool on) {
  itimerval timer{};
  timer.it_value.tv_usec = timer.it_interval.tv_usec = on ? 250'000 : 0;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void erase() {
  if (shown == 0) return;
  shown = 0;
  if (write(STDERR_FILENO, kErase.data(), kErase.size()) < 0) line_size = 0;
}

}  // namespace

Work& current_work() {
  static constinit Work the_work;
  return the_work;
}

// fmt writes numbers and texts into a piece of memory without asking for more.
std::size_t progress_text(std::string_view at, std::uint64_t done,
                          std::uint64_t total, std::uint64_t quarters,
                          char* const begin) {
  char* out = begin;
  if (!at.empty()) out = fmt::format_to(out, "at {} ", at.substr(0, 32));
  const std::uint64_t rate = quarters == 0 ? 0 : done * 4 / quarters;
  if (done < 1'000'000) {
    out = fmt::format_to(out, "... {} s", quarters / 4);
    return static_cast<std::size_t>(out - begin);
  }
  *out++ = ' ';
  if (total >= done) {
    constexpr std::uint64_t kBar = 20;
    // Products must fit.
    const int down = total >> 50 == 0 ? 0 : 14;
    const std::uint64_t part = done >> down, whole = total >> down;
    for (std::uint64_t i = 0; i < kBar; ++i) {
      *out++ = i < part * kBar / whole ? '#' : '.';
    }
    out = fmt::format_to(out, "  {}%  ", part * 100 / whole);
    out = write_amount(out, {done, total, false});
    out = fmt::format_to(out, " of ");
    out = write_amount(out, {total, total, true});
  } else {
    out = write_amount(out, {done, done, true});
  }
  out = fmt::format_to(out, "  ");
  out = write_amount(out, {rate, rate, true});
  if (total >= done && rate != 0) {
    out =
        fmt::format_to(out, "/s  {} s left", (total - done + rate - 1) / rate);
  } else {
    out = fmt::format_to(out, "/s  {} s", quarters / 4);
  }
  return static_cast<std::size_t>(out - begin);
}

Progress::Progress() : active_(!quiet() && isatty(STDERR_FILENO) == 1) {
  if (!active_) return;
  struct sigaction action {};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  active_ = sigaction(SIGALRM, &action, nullptr) == 0;
}

Progress::~Progress() {
  if (!active_) return;
  clear();
  std::signal(SIGALRM, SIG_IGN);
}

void Progress::stage(std::string_view verb, std::string_view path) {
  if (!active_) return;
  set_timer(false);
  erase();
  std::string text = std::string(kErase) + std::string(verb) + " ";
  const std::string name = visible(path);
  constexpr std::size_t kMost = 24;  // the whole stays on one line
  if (name.size() <= kMost) {
    text += name;
  } else {
    // From a whole character on.
    std::size_t from = name.size() - kMost;
    while (from < name.size() &&
           (static_cast<unsigned char>(name[from]) & 0xC0u) == 0x80u) {
      ++from;
    }
    text += "..." + name.substr(from);
  }
  text += " ";
  const std::size_t size = std::min(text.size(), sizeof line);
  std::memcpy(line, text.data(), size);
  line_size = static_cast<std::sig_atomic_t>(size);
  ticks = 0;
  width = static_cast<std::sig_atomic_t>(terminal_width(STDERR_FILENO));
  current_work().restart();
  set_timer(true);
}

void Progress::clear() {
  if (!active_) return;
  set_timer(false);
  line_size = 0;
  erase();
}

}  // namespace awdit::cli
