#include "generate/generate.h"

#include "generate/reductions.h"
#include "generate/serial_run.h"
#include "history/builder.h"

namespace awdit {

Result<History> generate(const Parameters& parameters, unsigned threads) {
  if (Outcome wrong = invalid(parameters)) return std::move(*wrong);
  const bool lists = parameters.lists && parameters.reduction == nullptr;
  Builder builder({.initial_value = lists ? Atom::nil() : Atom::integer(0),
                   .labels_are_ids = true});
  if (parameters.reduction != nullptr) {
    reduce(parameters, builder);
  } else {
    run_serially(parameters, builder);
  }
  return builder.finish(threads);
}

}  // namespace awdit
