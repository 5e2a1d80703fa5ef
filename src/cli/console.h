// The terminal: results to standard output, everything else to standard error.
//
// Writes go straight to the descriptors, so that each failure is seen where it
// happens: a reader who left (`| head`) ends the output quietly, a full disk is
// an error.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sink.h"
#include "history/history.h"

namespace awdit::cli {

// 0, 1, 2 and 3 are promised to users: see the help text.
enum class Exit { ok = 0, violated = 1, error = 2, undecided = 3 };

// The worse of two, for several histories: error, violated, undecided, ok.
Exit worse(Exit a, Exit b);

// To be called first: a closed pipe or a file that may not grow must not kill
// us, and the three standard descriptors must not be handed out to files that
// we open.
void prepare_console();

// Whether nothing but errors is to be told, on standard error: -q sets it.
bool& quiet();

// Whether text on standard output may be coloured.
bool wants_colour();

// Whether standard output is a terminal that shows UTF-8, as far as one can
// tell: by the locale.
bool wants_blocks();

// How many columns the terminal has that `fd` is; 0: it is none. The variable
// COLUMNS overrules what the terminal says.
std::size_t terminal_width(int fd);

// `text` with lines that fit the terminal that `fd` is; as it is if that is
// none.
std::string fitted(std::string_view text, int fd);

class Output {
 public:
  // A sink that ends in standard output; flush it before the next one is made.
  Sink sink() {
    return Sink([this](std::string_view bytes) { return write(bytes); });
  }
  void print(std::string_view bytes) { write(bytes); }
  // False: no further bytes are wanted.
  bool write(std::string_view bytes);
  // Nobody reads any more, or writing failed: further work is in vain.
  bool closed() const { return closed_; }
  // Complains if something could not be written. Returns the exit code.
  Exit finish(Exit exit);

 private:
  bool closed_ = false;
  std::string failure_;  // empty: none, or only that the reader left
};

// What several inputs of one history are called in messages.
std::string joined_name(std::span<const std::string> paths);
// What an output is called.
std::string output_name(const std::string& path);
// The same error, of the input that is called `name`.
Error placed_in(const std::string& name, Error error);

// That memory ran out because of what is called so.
Error too_large(std::string name);

// To standard error, as it is. What cannot be told there cannot be told at all.
void tell(std::string_view text);

// Each part made harmless for a terminal, and without passwords of URLs.
void print_error(const Error& error);
// Nothing, if quiet().
void print_note(std::string_view path, std::string_view text);
// What the reader of a history had to say about it.
void print_warnings(std::string_view path, const History& history);
// `details` are shown as they are.
void print_misuse(std::string_view message, std::string_view details,
                  std::string_view command);

}  // namespace awdit::cli
