#include "cli/progress.h"

#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "base/columns.h"
#include "base/gauge.h"
#include "base/utf8.h"
#include "cli/console.h"

namespace awdit::cli {
namespace {

// Shared with the signal handler, which may use nothing but these, the gauge,
// ioctl() and write(). The timer is off while they change.
char line[128];
volatile std::sig_atomic_t line_size = 0;
volatile std::sig_atomic_t ticks = 0;  // quarters of a second in this stage
volatile std::sig_atomic_t shown = 0;
volatile std::sig_atomic_t width = 80;  // of the terminal

// The escape sequence that a line begins with: the line before it goes.
constexpr std::string_view kErase = "\r\x1b[K";

// Appends to a piece of memory that is large enough.
class Writer {
 public:
  explicit Writer(char* out) : begin_(out), at_(out) {}
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

  void text(std::string_view words) {
    std::memcpy(at_, words.data(), words.size());
    at_ += words.size();
  }
  void number(std::uint64_t value) {
    char digits[20];
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    while (count != 0) *at_++ = digits[--count];
  }
  // "845" or "2.7", in units of `unit`.
  void amount(std::uint64_t bytes, std::uint64_t unit) {
    const std::uint64_t tenths = bytes / (unit / 10);
    number(tenths / 10);
    if (tenths < 100 && unit > 1'000'000) {
      *at_++ = '.';
      number(tenths % 10);
    }
  }

 private:
  char* begin_;
  char* at_;
};

struct Unit {
  std::uint64_t bytes;
  std::string_view name;
};

Unit unit_for(std::uint64_t bytes) {
  if (bytes >= 1'000'000'000) return {1'000'000'000, " GB"};
  return {1'000'000, " MB"};
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
    const Gauge& state = gauge();
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

std::size_t progress_text(std::string_view at, std::uint64_t done,
                          std::uint64_t total, std::uint64_t quarters,
                          char* out) {
  Writer writer(out);
  if (!at.empty()) {
    writer.text("at ");
    writer.text(at.substr(0, 32));
    writer.text(" ");
  }
  const std::uint64_t rate = quarters == 0 ? 0 : done * 4 / quarters;
  const bool counted = done >= 1'000'000;
  if (counted && total >= done) {
    constexpr std::uint64_t kBar = 20;
    // Products must fit.
    const int down = total >> 50 == 0 ? 0 : 14;
    const std::uint64_t part = done >> down, whole = total >> down;
    writer.text(" ");
    for (std::uint64_t i = 0; i < kBar; ++i) {
      writer.text(i < part * kBar / whole ? "#" : ".");
    }
    writer.text("  ");
    writer.number(part * 100 / whole);
    writer.text("%  ");
    const Unit unit = unit_for(total);
    writer.amount(done, unit.bytes);
    writer.text(" of ");
    writer.amount(total, unit.bytes);
    writer.text(unit.name);
  } else if (counted) {
    const Unit unit = unit_for(done);
    writer.text(" ");
    writer.amount(done, unit.bytes);
    writer.text(unit.name);
  } else {
    writer.text("... ");
    writer.number(quarters / 4);
    writer.text(" s");
    return writer.size();
  }
  writer.text("  ");
  const Unit unit = unit_for(rate);
  writer.amount(rate, unit.bytes);
  writer.text(unit.name);
  writer.text("/s  ");
  if (total >= done && rate != 0) {
    writer.number((total - done + rate - 1) / rate);
    writer.text(" s left");
  } else {
    writer.number(quarters / 4);
    writer.text(" s");
  }
  return writer.size();
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
  gauge().restart();
  set_timer(true);
}

void Progress::clear() {
  if (!active_) return;
  set_timer(false);
  line_size = 0;
  erase();
}

}  // namespace awdit::cli
