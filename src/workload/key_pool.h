// The keys of random workloads: how popular each is, and when it is replaced by
// a fresh one. Private to workload/.
//
// A pool has places; a transaction draws a place, and gets the key that is at
// this place now. A key that was written as often as its limit says makes room
// for the next: histories of registers and lists stay short, and first writes
// of keys, where databases err most, keep happening. The limit of a key is
// drawn by Zipf's law, from the seed and the key alone.
//
// Threads: any. All sessions share the places (one atomic number each), as
// sessions that rotate keys by themselves drift apart and meet no more.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/zipf.h"

namespace awdit {

class Settings;

class KeyPool {
 public:
  enum class Distribution : std::uint8_t {
    uniform,
    zipf,
    hotspot,
    exponential
  };

  // By the settings keys, distribution, theta and writes-per-key.
  KeyPool(const Settings& settings, std::uint64_t seed);

  // The key to be read, or written, next. One to be written counts as written.
  std::string to_read(Random& random);
  std::string to_write(Random& random);
  // Sorts keys of the pool into the one order in which transactions should
  // write them: where writers lock, nobody then waits for somebody who waits
  // for him, and the most popular keys, which come last, are locked for the
  // shortest time.
  void sort(std::vector<std::string>& keys) const;
  // All keys that have been there so far, or may be drawn next.
  std::vector<std::string> all() const;
  bool rotates() const { return writes_per_key_ != 0; }

 private:
  std::uint32_t place(Random& random) const;
  std::uint64_t limit(std::uint64_t key) const;
  std::uint64_t key_at(std::uint32_t place, std::uint64_t state) const;

  std::uint32_t places_;
  Distribution distribution_;
  std::uint32_t writes_per_key_;
  std::uint64_t seed_;
  Zipf popularity_;
  Zipf limits_;
  // By place: how many keys it had before this one, and how often this one was
  // written (the lower kCountBits).
  std::vector<std::atomic<std::uint64_t>> states_;
};

}  // namespace awdit
