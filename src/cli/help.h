// What --help says below the options of each command: tables, examples and exit
// codes.
#pragma once

#include <string>

namespace awdit::cli {

std::string main_footer();
std::string check_footer();
std::string retell_footer();
std::string verify_footer();
std::string convert_footer();
std::string shrink_footer();
std::string generate_footer();
std::string run_footer();
std::string record_footer();
std::string stats_footer();

}  // namespace awdit::cli
