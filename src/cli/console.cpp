#include "cli/console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "base/columns.h"
#include "base/fit.h"
#include "base/password.h"
#include "base/utf8.h"

namespace awdit::cli {
namespace {

// Returns 0 or the error number.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// visible() for text of several lines.
std::string visible_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result += visible(text.substr(0, end));
    if (end == std::string_view::npos) break;
    result += '\n';
    text.remove_prefix(end + 1);
  }
  return result;
}

// A line of input with a caret below it, in a window of `width` columns in
// which the caret is.
std::string windowed(std::string_view excerpt, std::size_t width) {
  std::vector<std::string_view> lines;
  std::size_t widest = 0;
  while (!excerpt.empty()) {
    const std::size_t end = excerpt.find('\n');
    lines.push_back(excerpt.substr(0, end));
    widest = std::max(widest, columns(lines.back()));
    excerpt.remove_prefix(end == excerpt.npos ? excerpt.size() : end + 1);
  }
  const std::size_t caret =
      lines.size() == 2 ? lines[1].find('^') : std::string_view::npos;
  // What stands left of the window.
  std::size_t left = 0;
  if (caret != std::string_view::npos && caret + 8 > width) {
    left = caret + 8 - width;
  }
  std::string result;
  for (const std::string_view line : lines) {
    const std::size_t skipped =
        std::min(line.size(), first_columns(line, left).size());
    result += first_columns(line.substr(skipped), width);
    result += '\n';
  }
  return result;
}

// An exception that nobody could catch, such as memory running out inside a
// worker thread, ends the program like any other error: told, with exit code 2.
[[noreturn]] void last_words() {
  std::string_view text = "awdit: stopped by an unexpected failure\n";
  try {
    if (const std::exception_ptr failure = std::current_exception()) {
      std::rethrow_exception(failure);
    }
  } catch (const std::bad_alloc&) {
    text = "awdit: not enough memory\n";
  } catch (...) {
  }
  tell(text);
  std::quick_exit(static_cast<int>(Exit::error));
}

}  // namespace

void tell(std::string_view text) { write_all(STDERR_FILENO, text); }

Exit worse(Exit a, Exit b) {
  for (Exit exit : {Exit::error, Exit::violated, Exit::undecided}) {
    if (a == exit || b == exit) return exit;
  }
  return Exit::ok;
}

void prepare_console() {
  // Both are errors of writing, which are told where they happen.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(last_words);
  // open() returns the lowest free descriptor, so gaps fill in order. Read
  // only: writing to a standard output that was closed stays an error.
  for (int fd = 0; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) == -1) break;
  }
}

bool& quiet() {
  static bool wanted = false;
  return wanted;
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 &&
         (no_colour == nullptr || *no_colour == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

bool wants_blocks() {
  // The first of these that is set decides, as in setlocale(3).
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    std::string name(value);
    for (char& c : name) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return isatty(STDOUT_FILENO) == 1 &&
           (name.find("utf-8") != std::string::npos ||
            name.find("utf8") != std::string::npos);
  }
  return false;
}

std::size_t terminal_width(int fd) {
  constexpr std::size_t kUsual = 80, kMost = 10'000;
  if (isatty(fd) != 1) return 0;
  std::size_t width = 0;
  if (const char* typed = std::getenv("COLUMNS")) {
    std::from_chars(typed, typed + std::strlen(typed), width);
  }
  winsize size{};
  if (width == 0 && ioctl(fd, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0) width = kUsual;
  return std::clamp(width, kLeastWidth, kMost);
}

std::string fitted(std::string_view text, int fd) {
  const std::size_t width = terminal_width(fd);
  return width == 0 ? std::string(text) : fit_text(text, width);
}

bool Output::write(std::string_view bytes) {
  if (closed_) return false;
  const int error = write_all(STDOUT_FILENO, bytes);
  if (error == 0) return true;
  closed_ = true;
  if (error != EPIPE) failure_ = std::strerror(error);
  return false;
}

Exit Output::finish(Exit exit) {
  // Some file systems report a full disk only here.
  if (!closed_ && ::close(STDOUT_FILENO) != 0 && errno != EINTR) {
    failure_ = std::strerror(errno);
  }
  if (failure_.empty()) return exit;
  print_error({.where = "standard output",
               .message = failure_,
               .hint = "The output is incomplete."});
  return Exit::error;
}

std::string joined_name(std::span<const std::string> paths) {
  std::string name;
  for (const std::string& path : paths) {
    if (!name.empty()) name += ", ";
    name += path == "-" ? "<stdin>" : path;
  }
  return name;
}

std::string output_name(const std::string& path) {
  return path == "-" ? "<stdout>" : path;
}

Error placed_in(const std::string& name, Error error) {
  error.where = error.where.empty() ? name : name + ":" + error.where;
  return error;
}

Error too_large(std::string name) {
  return {.where = std::move(name),
          .message = "not enough memory for this history",
          .hint = "Use a machine with more memory."};
}

void print_error(const Error& error) {
  // An excerpt is input, and a caret points into it.
  Error safe{.where = visible(without_password(error.where)),
             .message = visible(without_password(error.message)),
             .excerpt = visible_lines(error.excerpt),
             .hint = visible_lines(without_password(error.hint))};
  const std::size_t width = terminal_width(STDERR_FILENO);
  if (width == 0) {
    tell(to_string(safe));
    return;
  }
  tell(
      wrapped_line(safe.where + (safe.where.empty() ? "" : ": ") + safe.message,
                   width, 4) +
      "\n" + windowed(safe.excerpt, width));
  if (safe.hint.empty()) return;
  if (safe.hint.back() != '\n') safe.hint += '\n';
  tell(fit_text(safe.hint, width));
}

void print_note(std::string_view path, std::string_view text) {
  if (quiet()) return;
  std::string line =
      visible(without_password(path)) + ": " + visible(without_password(text));
  if (const std::size_t width = terminal_width(STDERR_FILENO); width != 0) {
    line = wrapped_line(line, width, 4);
  }
  tell(line + "\n");
}

void print_warnings(std::string_view path, const History& history) {
  for (const std::string& warning : history.warnings()) {
    print_note(path, "warning: " + warning);
  }
}

void print_misuse(std::string_view message, std::string_view details,
                  std::string_view command) {
  tell(fitted("awdit: " + visible(without_password(message)) + "\n" +
                  std::string(details) + "try " + std::string(command) +
                  " --help\n",
              STDERR_FILENO));
}

}  // namespace awdit::cli
