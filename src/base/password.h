// Texts that may hold a password, made fit to be shown.
//
// People type URLs with passwords in them where they belong, and where they do
// not; they forget to escape an @ or a /, and then every parser takes a piece
// of the password for a host, a port or a database and quotes it. So nothing
// is parsed here: of a text with a URL, all that stands between the first colon
// behind :// and the last @ is left out, whatever it is. Too much may go, but
// never too little.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace awdit {

// `text` with *** in the place of
//   - all between the first : behind a :// and the last @ of the text,
//   - what stands where a URL without an @ has its port, if it is no number,
//   - values of password=.
std::string without_password(std::string_view text);

// Likewise of a word that is perhaps meant as an address: me:secret@host, too.
std::string address_without_password(std::string_view word);

// `text` with *** wherever one of the secrets stands; empty ones do not count.
std::string without_secrets(std::string text,
                            std::span<const std::string> secrets);

}  // namespace awdit
