#include "server/client_environment.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

extern char** environ;

namespace awdit {

void forget_client_environment() {
  constexpr std::string_view kPrefixes[] = {"PG", "MYSQL", "MARIADB",
                                            "LIBMYSQL"};
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr;
       ++variable) {
    const std::string_view text = *variable;
    for (const std::string_view prefix : kPrefixes) {
      if (!text.starts_with(prefix)) continue;
      names.emplace_back(text.substr(0, text.find('=')));
      break;
    }
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

}  // namespace awdit
