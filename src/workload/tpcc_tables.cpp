// The rows that TPC-C begins with (standard specification 5.11, clause 4.3), in
// Cobra's layout; texts are shorter than the standard's.
//
// The first customers of a district have all last names once, the others have
// uneven ones by the same constants that lookups use later, as Cobra does: so
// frequent names are looked up more often, and have more customers.
// Each district draws from random numbers of its own: more warehouses do not
// change those that were there.
#include "workload/tpcc_tables.h"

#include <numeric>
#include <vector>

#include "workload/draw.h"
#include "workload/fields.h"
#include "workload/key_name.h"

namespace awdit::tpcc {
namespace {

std::uint32_t uneven(Random& random, std::uint32_t bits, std::uint32_t constant,
                     std::uint32_t least, std::uint32_t count) {
  const std::uint64_t any = random.below(bits + 1);
  const std::uint64_t even = least + random.below(count);
  return static_cast<std::uint32_t>(((any | even) + constant) % count) + least;
}

void load_customers(const Sizes& sizes, const Uneven& draws, Random& random,
                    std::uint32_t w, std::uint32_t d, const PutInitial& put) {
  std::vector<Fields> named(sizes.names());  // by name: the customers
  for (std::uint32_t c = 1; c <= sizes.customers; ++c) {
    const std::uint32_t name =
        c <= sizes.names() ? c - 1 : draws.name(random, sizes.names());
    named[name].add(c);
    // First and last name, balance, paid, payments, deliveries, data.
    const Fields row = {
        alphanumerics(random, 8), last_name(name), -1000, 1000, 1, 0,
        alphanumerics(random, 24)};
    put(key(kCustomer, w, d, c), row.payload());
  }
  for (std::uint32_t name = 0; name < sizes.names(); ++name) {
    put(name_key(last_name(name), w, d), named[name].payload());
  }
}

void load_order(const Sizes& sizes, Random& random, std::uint32_t w,
                std::uint32_t d, std::uint32_t o, std::uint32_t customer,
                const PutInitial& put) {
  const bool delivered = o < sizes.first_undelivered();
  const std::uint32_t lines =
      kLeastLines + random.below(kMostLines - kLeastLines + 1);
  put(key(kOrder, w, d, o),
      order_row(customer, delivered ? 1 + random.below(10) : 0, lines));
  if (!delivered) put(key(kNewOrder, w, d, o), "1");
  for (std::uint32_t line = 1; line <= lines; ++line) {
    const std::int64_t item = std::int64_t{1} + random.below(sizes.items);
    const std::int64_t amount =
        delivered ? 0 : std::int64_t{1} + random.below(999999);
    put(key(kOrderLine, w, d, o, line),
        line_row(item, w, 5, amount, delivered));
  }
}

void load_district(const Sizes& sizes, const Uneven& draws, Random random,
                   std::uint32_t w, std::uint32_t d, const PutInitial& put) {
  // Name, tax, sum of payments, next order.
  const Fields district = {alphanumerics(random, 8), random.below(2001),
                           3000000, std::int64_t{sizes.orders} + 1};
  put(key(kDistrict, w, d), district.payload());
  const Fields undelivered = {sizes.first_undelivered(), sizes.orders};
  put(key(kNewOrders, w, d), undelivered.payload());

  load_customers(sizes, draws, random, w, d, put);
  std::vector<std::uint32_t> buyers(sizes.customers);
  std::iota(buyers.begin(), buyers.end(), 1);
  shuffle(buyers, random);
  for (std::uint32_t o = 1; o <= sizes.orders; ++o) {
    load_order(sizes, random, w, d, o, buyers[(o - 1) % buyers.size()], put);
  }
}

void load_stock(const Sizes& sizes, Random random, std::uint32_t w,
                const PutInitial& put) {
  for (std::uint32_t i = 1; i <= sizes.items; ++i) {
    // Quantity, sold, orders, remote ones, data.
    const Fields row = {10 + random.below(91), 0, 0, 0,
                        alphanumerics(random, 26)};
    put(key(kStock, w, i), row.payload());
  }
}

}  // namespace

Sizes::Sizes(const Settings& settings)
    : warehouses(settings.number("warehouses")),
      items(settings.number("items")),
      customers(settings.number("customers")),
      orders(settings.number("orders")) {}

Uneven::Uneven(std::uint64_t seed) {
  Random random(seed);
  name_ = random.below(256);
  customer_ = random.below(1024);
  item_ = random.below(8192);
}
std::uint32_t Uneven::customer(Random& random, std::uint32_t count) const {
  return uneven(random, 1023, customer_, 1, count);
}
std::uint32_t Uneven::item(Random& random, std::uint32_t count) const {
  return uneven(random, 8191, item_, 1, count);
}
std::uint32_t Uneven::name(Random& random, std::uint32_t count) const {
  return uneven(random, 255, name_, 0, count);
}

std::string last_name(std::uint32_t number) {
  constexpr const char* kSyllables[] = {"BAR",   "OUGHT", "ABLE", "PRI",
                                        "PRES",  "ESE",   "ANTI", "CALLY",
                                        "ATION", "EING"};
  std::string name = kSyllables[number / 100 % 10];
  name += kSyllables[number / 10 % 10];
  name += kSyllables[number % 10];
  return name;
}

std::string name_key(std::string_view name, std::uint32_t w, std::uint32_t d) {
  return key("Lastname2Customer:" + std::string(name), w, d);
}

std::string order_row(std::int64_t customer, std::int64_t carrier,
                      std::int64_t lines) {
  return Fields{customer, carrier, lines}.payload();
}

std::string line_row(std::int64_t item, std::int64_t supplier,
                     std::int64_t quantity, std::int64_t amount,
                     bool delivered) {
  return Fields{item, supplier, quantity, amount, delivered ? 1 : 0}.payload();
}

void load_tables(const Sizes& sizes, const Uneven& draws, std::uint64_t seed,
                 const PutInitial& put) {
  Random seeds(seed);
  Random random(seeds.next());
  for (std::uint32_t i = 1; i <= sizes.items; ++i) {
    const Fields row = {alphanumerics(random, 14), 100 + random.below(9901)};
    put(key(kItem, i), row.payload());
  }
  for (std::uint32_t w = 1; w <= sizes.warehouses; ++w) {
    Random own(seeds.next());
    const Fields warehouse = {alphanumerics(own, 8), own.below(2001), 30000000};
    put(key(kWarehouse, w), warehouse.payload());
    load_stock(sizes, Random(own.next()), w, put);
    for (std::uint32_t d = 1; d <= kDistricts; ++d) {
      load_district(sizes, draws, Random(own.next()), w, d, put);
    }
  }
}

}  // namespace awdit::tpcc
