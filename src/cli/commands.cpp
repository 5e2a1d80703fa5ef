// THE table of commands, in the order in which help texts have them.
#include "cli/command.h"

namespace awdit::cli {
namespace {

constexpr const Command* kCommands[] = {
    &kRunCommand,         &kRecordCommand,   &kCheckCommand,
    &kVerifyCommand,      &kReportCommand,   &kConvertCommand,
    &kShrinkCommand,      &kGenerateCommand, &kStatsCommand,
    &kExplainCommand,     &kListCommand,     &kDriverTestCommand,
    &kCompletionsCommand, &kManCommand,      &kHelpCommand,
};

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

Names command_names() {
  Names names;
  for (const Command* command : kCommands) names.push_back(command->name);
  return names;
}

}  // namespace awdit::cli
