// TPC-C as keys and payloads: names of keys, fields of rows, sizes of tables,
// and the uneven random numbers of the standard. Private to workload/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "workload/workload.h"

namespace awdit::tpcc {

inline constexpr std::uint32_t kDistricts = 10;  // of a warehouse
inline constexpr std::uint32_t kLeastLines = 5;  // of an order
inline constexpr std::uint32_t kMostLines = 15;
inline constexpr std::uint32_t kMostNames = 1000;

struct Sizes {
  std::uint32_t warehouses;
  std::uint32_t items;
  std::uint32_t customers;  // of a district
  std::uint32_t orders;     // of a district

  explicit Sizes(const Settings& settings);
  // Last names that occur.
  std::uint32_t names() const {
    return customers < kMostNames ? customers : kMostNames;
  }
  // The first order that has not been delivered: 3 of 10 have not.
  std::uint32_t first_undelivered() const { return orders / 10 * 7; }
};

// NURand of the standard: some numbers are drawn much more often, which ones
// depends on constants that are fixed for the run.
class Uneven {
 public:
  explicit Uneven(std::uint64_t seed);
  // 1 ... count.
  std::uint32_t customer(Random& random, std::uint32_t count) const;
  std::uint32_t item(Random& random, std::uint32_t count) const;
  // 0 ... count - 1.
  std::uint32_t name(Random& random, std::uint32_t count) const;

 private:
  std::uint32_t name_;
  std::uint32_t customer_;
  std::uint32_t item_;
};

// BARBARBAR, BARBAROUGHT, ...: three syllables for three digits.
std::string last_name(std::uint32_t number);

// -- tables, and the numbers of their keys (key_name.h)
// ------------------------ All numbers but those of history count from 1.

inline constexpr std::string_view kWarehouse = "WAREHOUSE";  // w
inline constexpr std::string_view kDistrict = "DISTRICT";    // w, d
inline constexpr std::string_view kCustomer = "CUSTOMER";    // w, d, c
inline constexpr std::string_view kHistory = "HISTORY";
inline constexpr std::string_view kNewOrder = "NEWORDER";    // w, d, o
inline constexpr std::string_view kOrder = "ORDER";          // w, d, o
inline constexpr std::string_view kOrderLine = "ORDERLINE";  // w, d, o, line
inline constexpr std::string_view kItem = "ITEM";            // i
inline constexpr std::string_view kStock = "STOCK";          // w, i
// Indexes by hand: the first undelivered order and the last one; the customers
// of a name.
inline constexpr std::string_view kNewOrders = "NewOrderList";  // w, d
std::string name_key(std::string_view name, std::uint32_t w, std::uint32_t d);

// -- fields of rows (fields.h) ------------------------------------------------

namespace district_field {
enum : std::size_t { name, tax, ytd, next_order };
}
namespace customer_field {
enum : std::size_t {
  first,
  last,
  balance,
  ytd_payment,
  payments,
  deliveries,
  data
};
}
namespace order_field {
enum : std::size_t { customer, carrier, lines };
}
namespace line_field {
enum : std::size_t { item, supplier, quantity, amount, delivered };
}
namespace item_field {
enum : std::size_t { name, price };
}
namespace stock_field {
enum : std::size_t { quantity, ytd, orders, remote, data };
}
namespace new_orders_field {
enum : std::size_t { first, last };
}

// -- rows ---------------------------------------------------------------------

std::string order_row(std::int64_t customer, std::int64_t carrier,
                      std::int64_t lines);
std::string line_row(std::int64_t item, std::int64_t supplier,
                     std::int64_t quantity, std::int64_t amount,
                     bool delivered);

// All rows that are there at the beginning.
void load_tables(const Sizes& sizes, const Uneven& uneven, std::uint64_t seed,
                 const PutInitial& put);

}  // namespace awdit::tpcc
