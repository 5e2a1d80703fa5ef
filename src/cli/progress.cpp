#include "cli/progress.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "base/utf8.h"

namespace awdit::cli {
namespace {

// Shared with the signal handler, which may use nothing but these and write().
// The timer is off while they change.
char line[128];
volatile std::sig_atomic_t line_size = 0;
volatile std::sig_atomic_t seconds = 0;
volatile std::sig_atomic_t shown = 0;

void tick(int) {
  const int saved = errno;
  const int now = seconds + 1;
  seconds = now;
  if (line_size != 0) {
    char text[sizeof line + 32];
    auto size = static_cast<std::size_t>(line_size);
    std::memcpy(text, line, size);
    char digits[12];
    std::size_t count = 0;
    for (int rest = now; count == 0 || rest != 0; rest /= 10) {
      digits[count++] = static_cast<char>('0' + rest % 10);
    }
    while (count != 0) text[size++] = digits[--count];
    text[size++] = ' ';
    text[size++] = 's';
    shown = 1;
    if (write(STDERR_FILENO, text, size) < 0) line_size = 0;
  }
  errno = saved;
}

void set_timer(bool on) {
  itimerval timer{};
  timer.it_value.tv_sec = timer.it_interval.tv_sec = on ? 1 : 0;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void erase() {
  constexpr std::string_view kErase = "\r\x1b[K";
  if (shown == 0) return;
  shown = 0;
  if (write(STDERR_FILENO, kErase.data(), kErase.size()) < 0) line_size = 0;
}

}  // namespace

Progress::Progress() : active_(isatty(STDERR_FILENO) == 1) {
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
  std::string text = "\r\x1b[K" + std::string(verb) + " ";
  const std::string name = visible(path);
  constexpr std::size_t kMost = 60;  // stays on one line of a terminal
  text +=
      name.size() <= kMost ? name : "..." + name.substr(name.size() - kMost);
  text += " ... ";
  const std::size_t size = std::min(text.size(), sizeof line);
  std::memcpy(line, text.data(), size);
  line_size = static_cast<std::sig_atomic_t>(size);
  seconds = 0;
  set_timer(true);
}

void Progress::clear() {
  if (!active_) return;
  set_timer(false);
  line_size = 0;
  erase();
}

}  // namespace awdit::cli
