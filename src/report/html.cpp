// A page is a fixed text, made of src/report/page at build time, with the value
// of page_json.cpp in its middle. The value is in a <script> that is not
// run; there nothing may look like the end of it, so `<`, `>` and `&`, which in
// JSON occur within strings only, are written as escapes; likewise U+2028 and
// 2029, which end lines in some scripts.
#include <string>

#include "report/markup.h"
#include "report/page.h"

namespace awdit {
namespace {

constexpr std::string_view kTemplate =
#include "report/page.inc"
    ;
constexpr std::string_view kHere = "@AWDIT_VALUE@";
static_assert(kTemplate.find(kHere) != std::string_view::npos);

constexpr Escape kEscapes[] = {
    {"<", "\\u003c"},
    {">", "\\u003e"},
    {"&", "\\u0026"},
    {"\xE2\x80\xA8", "\\u2028"},
    {"\xE2\x80\xA9", "\\u2029"},
};

}  // namespace

void write_html(const Subject& subject, const Excerpt& shown,
                const ReportOptions& options, Sink& sink) {
  std::string json;
  {
    Sink value(json);
    write_page_json(subject, shown, options, value);
  }
  const std::size_t at = kTemplate.find(kHere);
  sink.append(kTemplate.substr(0, at));
  sink.append(escaped(json, kEscapes));
  sink.append(kTemplate.substr(at + kHere.size()));
}

void write_error_html(std::string_view path, const Error& error, Sink& sink) {
  sink.append(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'\"><title>No verdict - AWDIT</title>"
      "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,"
      "sans-serif;max-width:44em;margin:3em auto;padding:0 1em}</style>"
      "<h1>No verdict</h1><p>");
  sink.append(xml_text(error.where.empty() ? path : error.where));
  sink.append(": ");
  sink.append(xml_text(error.message));
  sink.append("<p>");
  sink.append(xml_text(error.hint));
  sink.append("</html>\n");
}

}  // namespace awdit
