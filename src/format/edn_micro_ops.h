// The micro-operations of a Jepsen history in EDN, and what is wrong with it.
// Private to format/.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/input.h"
#include "base/result.h"
#include "format/atom_cache.h"
#include "format/edn_reader.h"
#include "format/jepsen_ops.h"

namespace awdit {

inline constexpr std::string_view kEdnOpHint =
    "A history is a sequence of maps like {:type :ok, :process 0, :f :txn, "
    ":value [[:w 5 1] [:r 6 nil]]}, or one vector of them.";

class EdnMicroOps {
 public:
  explicit EdnMicroOps(const Input& input) : input_(input) {}

  // Reads the value of an operation, a vector or list of them. False: see
  // take_error().
  bool read(EdnReader& reader, JepsenOps& ops, MicroOps& result);

  // -- mistakes, of whatever stands around; these are always false
  bool broken(const EdnReader& reader, std::string message,
              std::string_view hint = kEdnOpHint);
  // `form` is what the reader found.
  bool expected(const EdnReader& reader, EdnReader::Form form,
                std::string_view wanted, std::string_view hint);
  // True, or such a mistake: passes a form.
  bool skip(EdnReader& reader) {
    return reader.skip() || broken(reader, reader.problem());
  }
  Outcome take_error() { return std::exchange(error_, std::nullopt); }

 private:
  bool micro_op(EdnReader& reader, JepsenOps& ops, MicroOps& result);
  bool elements(EdnReader& reader, JepsenOps& ops, MicroOps& result,
                MicroOps::Op& op);
  bool close(EdnReader& reader, char closer, const char* wanted);
  bool atom(EdnReader& reader, JepsenOps& ops, const char* what, Atom& atom);

  const Input& input_;
  AtomCache texts_;
  Outcome error_;
};

}  // namespace awdit
