#include "base/password.h"

#include <algorithm>
#include <vector>

namespace awdit {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::size_t kNone = std::string_view::npos;

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789") == kNone;
}

// Of what begins at `start` and has the form user:password@..., or host:port.
void hide_credentials(std::string& text, std::size_t start) {
  const std::size_t at = text.rfind('@');
  if (at != kNone && at > start) {
    const std::size_t colon = text.find(':', start);
    if (colon < at) text.replace(colon + 1, at - colon - 1, kHidden);
    return;
  }
  // An address in brackets has colons of its own.
  if (start < text.size() && text[start] == '[') {
    start = std::min(text.find(']', start), text.size());
  }
  const std::size_t end =
      std::min(text.find_first_of("/?#,'\" \t\n", start), text.size());
  const std::size_t colon = text.find(':', start);
  if (colon >= end) return;
  const std::string_view port =
      std::string_view(text).substr(colon + 1, end - colon - 1);
  if (!is_number(port)) text.replace(colon + 1, port.size(), kHidden);
}

// password=secret, password='two words', also in sslpassword=.
void hide_parameters(std::string& text) {
  constexpr std::string_view kName = "password=";
  for (std::size_t at = 0; (at = text.find(kName, at)) != kNone;) {
    at += kName.size();
    std::size_t end;
    if (at < text.size() && text[at] == '\'') {
      end = at + 1;
      while (end < text.size() && text[end] != '\'') {
        end += text[end] == '\\' ? 2 : 1;
      }
      end = std::min(end + 1, text.size());
    } else {
      end = std::min(text.find_first_of("& \t\n", at), text.size());
    }
    if (end > at) text.replace(at, end - at, kHidden);
  }
}

}  // namespace

std::string without_password(std::string_view text) {
  std::string shown(text);
  const std::size_t scheme = shown.find("://");
  if (scheme != kNone) hide_credentials(shown, scheme + 3);
  hide_parameters(shown);
  return shown;
}

std::string address_without_password(std::string_view word) {
  if (word.find("://") != kNone || word.find('@') == kNone) {
    return without_password(word);
  }
  std::string shown(word);
  hide_credentials(shown, 0);
  hide_parameters(shown);
  return shown;
}

std::string without_secrets(std::string text,
                            std::span<const std::string> secrets) {
  // Longest first: one may be a part of another.
  std::vector<std::string_view> all(secrets.begin(), secrets.end());
  std::sort(all.begin(), all.end(), [](std::string_view a, std::string_view b) {
    return a.size() > b.size();
  });
  for (const std::string_view secret : all) {
    if (secret.empty()) continue;
    for (std::size_t at = 0; (at = text.find(secret, at)) != kNone;
         at += kHidden.size()) {
      text.replace(at, secret.size(), kHidden);
    }
  }
  return text;
}

}  // namespace awdit
