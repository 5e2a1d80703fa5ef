// rename_keys: a history in Plume text whose keys look as if drawn at random.
// Each key becomes a number of eight digits, by a map that is the same in every
// run and gives no two keys the same number; the rest stays byte for byte.
//
//   rename_keys IN OUT
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::uint64_t kLowest = 10'000'000;
constexpr std::uint64_t kNumbers = 90'000'000;  // of eight digits

class Names {
 public:
  // Empty once there are hardly any left.
  std::string of(const std::string& key) {
    const auto [at, is_new] = names_.try_emplace(key);
    if (is_new) {
      if (names_.size() > kNumbers / 2) return "";
      at->second = std::to_string(kLowest + draw());
    }
    return at->second;
  }

 private:
  // A number that was not drawn before.
  std::uint64_t draw() {
    while (true) {
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t number = (state_ >> 33) % kNumbers;
      if (taken_[number]) continue;
      taken_[number] = true;
      return number;
    }
  }

  std::unordered_map<std::string, std::string> names_;
  std::vector<bool> taken_ = std::vector<bool>(kNumbers);  // [number]
  std::uint64_t state_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: rename_keys IN OUT\n", stderr);
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  std::ofstream out(argv[2], std::ios::binary);
  Names names;
  for (std::string line; std::getline(in, line);) {
    const std::size_t open = line.find('('), comma = line.find(',');
    std::string name;
    if (open != std::string::npos && comma != std::string::npos) {
      name = names.of(line.substr(open + 1, comma - open - 1));
    }
    if (name.empty()) {
      std::fprintf(stderr, "%s: not Plume text, or too many keys: %s\n",
                   argv[1], line.c_str());
      return 2;
    }
    out.write(line.data(), static_cast<std::streamsize>(open + 1)) << name;
    line.erase(0, comma);
    out << line << '\n';
  }
  out.close();
  if (!in.eof() || !out) {
    std::perror(in.eof() ? argv[2] : argv[1]);
    return 2;
  }
  return 0;
}
