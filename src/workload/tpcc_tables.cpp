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

namespace awdit::tpcc {
namespace {

std::uint32_t uneven(Random& random, std::uint32_t bits, std::uint32_t constant,
                     std::uint32_t least, std::uint32_t count) {
  const std::uint64_t any = random.below(bits + 1);
  const std::uint64_t even = least + random.below(count);
  return static_cast<std::uint32_t>(((any | even) + constant) % count) + least;
}

std::string joined(std::string_view table, std::uint32_t a, std::uint32_t b) {
  return std::string(table) + ":" + std::to_string(a) + ":" + std::to_string(b);
}

std::string order_row(std::int64_t customer, std::int64_t carrier,
                      std::int64_t lines) {
  Fields row;
  row.set(order_field::customer, customer);
  row.set(order_field::carrier, carrier);
  row.set(order_field::lines, lines);
  return row.payload();
}

void load_customers(const Sizes& sizes, const Uneven& draws, Random& random,
                    std::uint32_t w, std::uint32_t d, const PutInitial& put) {
  std::vector<Fields> named(sizes.names());  // by name: the customers
  for (std::uint32_t c = 1; c <= sizes.customers; ++c) {
    const std::uint32_t name =
        c <= sizes.names() ? c - 1 : draws.name(random, sizes.names());
    named[name].add(c);
    Fields row;
    row.set(customer_field::first, alphanumerics(random, 8));
    row.set(customer_field::last, last_name(name));
    row.set(customer_field::balance, std::int64_t{-1000});
    row.set(customer_field::ytd_payment, std::int64_t{1000});
    row.set(customer_field::payments, std::int64_t{1});
    row.set(customer_field::deliveries, std::int64_t{0});
    row.set(customer_field::data, alphanumerics(random, 24));
    put(customer_key(w, d, c), row.payload());
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
  put(order_key(w, d, o),
      order_row(customer, delivered ? 1 + random.below(10) : 0, lines));
  if (!delivered) put(new_order_key(w, d, o), "1");
  for (std::uint32_t line = 1; line <= lines; ++line) {
    Fields row;
    row.set(line_field::item, std::int64_t{1} + random.below(sizes.items));
    row.set(line_field::supplier, std::int64_t{w});
    row.set(line_field::quantity, std::int64_t{5});
    row.set(line_field::amount, delivered
                                    ? std::int64_t{0}
                                    : std::int64_t{1} + random.below(999999));
    row.set(line_field::delivered, std::int64_t{delivered ? 1 : 0});
    put(order_line_key(w, d, o, line), row.payload());
  }
}

void load_district(const Sizes& sizes, const Uneven& draws, Random random,
                   std::uint32_t w, std::uint32_t d, const PutInitial& put) {
  Fields district;
  district.set(district_field::name, alphanumerics(random, 8));
  district.set(district_field::tax, std::int64_t{random.below(2001)});
  district.set(district_field::ytd, std::int64_t{3000000});
  district.set(district_field::next_order, std::int64_t{sizes.orders} + 1);
  put(district_key(w, d), district.payload());

  Fields undelivered;
  undelivered.set(new_orders_field::first,
                  std::int64_t{sizes.first_undelivered()});
  undelivered.set(new_orders_field::last, std::int64_t{sizes.orders});
  put(new_orders_key(w, d), undelivered.payload());

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
    Fields row;
    row.set(stock_field::quantity, std::int64_t{10} + random.below(91));
    row.set(stock_field::ytd, std::int64_t{0});
    row.set(stock_field::orders, std::int64_t{0});
    row.set(stock_field::remote, std::int64_t{0});
    row.set(stock_field::data, alphanumerics(random, 26));
    put(stock_key(w, i), row.payload());
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

std::string warehouse_key(std::uint32_t w) {
  return "WAREHOUSE:" + std::to_string(w);
}
std::string district_key(std::uint32_t w, std::uint32_t d) {
  return joined("DISTRICT", w, d);
}
std::string customer_key(std::uint32_t w, std::uint32_t d, std::int64_t c) {
  return joined("CUSTOMER", w, d) + ":" + std::to_string(c);
}
std::string history_key(std::uint64_t h) {
  return "HISTORY:" + std::to_string(h);
}
std::string new_order_key(std::uint32_t w, std::uint32_t d, std::int64_t o) {
  return joined("NEWORDER", w, d) + ":" + std::to_string(o);
}
std::string order_key(std::uint32_t w, std::uint32_t d, std::int64_t o) {
  return joined("ORDER", w, d) + ":" + std::to_string(o);
}
std::string order_line_key(std::uint32_t w, std::uint32_t d, std::int64_t o,
                           std::int64_t line) {
  return joined("ORDERLINE", w, d) + ":" + std::to_string(o) + ":" +
         std::to_string(line);
}
std::string item_key(std::int64_t i) { return "ITEM:" + std::to_string(i); }
std::string stock_key(std::uint32_t w, std::int64_t i) {
  return "STOCK:" + std::to_string(w) + ":" + std::to_string(i);
}
std::string new_orders_key(std::uint32_t w, std::uint32_t d) {
  return joined("NewOrderList", w, d);
}
std::string name_key(std::string_view name, std::uint32_t w, std::uint32_t d) {
  return joined("Lastname2Customer:" + std::string(name), w, d);
}

void load_tables(const Sizes& sizes, const Uneven& draws, std::uint64_t seed,
                 const PutInitial& put) {
  Random seeds(seed);
  Random random(seeds.next());
  for (std::uint32_t i = 1; i <= sizes.items; ++i) {
    Fields row;
    row.set(item_field::name, alphanumerics(random, 14));
    row.set(item_field::price, std::int64_t{100} + random.below(9901));
    put(item_key(i), row.payload());
  }
  for (std::uint32_t w = 1; w <= sizes.warehouses; ++w) {
    Random own(seeds.next());
    const Fields warehouse = {alphanumerics(own, 8),
                              std::to_string(own.below(2001)), "30000000"};
    put(warehouse_key(w), warehouse.payload());
    load_stock(sizes, Random(own.next()), w, put);
    for (std::uint32_t d = 1; d <= kDistricts; ++d) {
      load_district(sizes, draws, Random(own.next()), w, d, put);
    }
  }
}

}  // namespace awdit::tpcc
