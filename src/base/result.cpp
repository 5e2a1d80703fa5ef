#include "base/result.h"

namespace awdit {

std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.empty()) {
    text += error.where;
    text += ": ";
  }
  text += error.message;
  text += '\n';
  if (!error.excerpt.empty()) {
    text += error.excerpt;
    if (text.back() != '\n') text += '\n';
  }
  if (!error.hint.empty()) {
    text += error.hint;
    if (text.back() != '\n') text += '\n';
  }
  return text;
}

}  // namespace awdit
