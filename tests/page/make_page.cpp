// Makes pages, or the values that pages are made of, without the command line:
//
//   make_page (html|json) HISTORY OUT [HISTORY OUT]...
//
// Checks each history at every level.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "check/check.h"
#include "format/format.h"
#include "report/html.h"
#include "report/page_json.h"

int main(int argc, char** argv) {
  using namespace awdit;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 3 || words.size() % 2 == 0) {
    std::cerr << "usage: make_page (html|json) HISTORY OUT ...\n";
    return 2;
  }
  std::vector<const Level*> asked;
  for (const Level& level : levels()) asked.push_back(&level);
  for (std::size_t i = 1; i < words.size(); i += 2) {
    Result<Loaded> loaded = read_history({&words[i], 1}, nullptr, 1);
    if (!loaded) {
      std::cerr << words[i] << ": " << loaded.error().message << "\n";
      return 2;
    }
    Result<Report> report = check(loaded->history, asked, {});
    if (!report) {
      std::cerr << words[i] << ": " << report.error().message << "\n";
      return 2;
    }
    const std::string name = words[i].substr(words[i].rfind('/') + 1);
    const Subject subject{.path = name,
                          .format = loaded->format->name,
                          .history = loaded->history};
    std::ofstream out(words[i + 1], std::ios::binary);
    Sink sink([&](std::string_view bytes) {
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      return out.good();
    });
    (words[0] == "html" ? write_html : write_page_json)(subject, *report, {},
                                                        sink);
  }
}
