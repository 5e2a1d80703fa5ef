// tpcc: a wholesaler's orders, payments and deliveries (TPC-C standard
// specification 5.11), in Cobra's translation to keys and values. See
// docs/workloads/tpcc.md.
//
// Where Cobra leaves the standard, so does this, as published histories do:
// payments do not update the sums of warehouse and district, a delivery is one
// district's, an order's status is that of the order with the customer's
// number, and a look at the stock level is 21 transactions.
//
// Everything that one row says about another (the next order, its lines, the
// customers of a name) is read from what the database returned. Rows that are
// missing or not ours end a transaction early, but never break it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "workload/draw.h"
#include "workload/fields.h"
#include "workload/rows.h"
#include "workload/tpcc_tables.h"

namespace awdit {
namespace {

using namespace tpcc;

constexpr std::uint64_t kRange = 1'000'000'000;  // of ids of history, a session
constexpr std::int64_t kRecentOrders = 20;       // that a stock level looks at
constexpr std::int64_t kUnknownItem = -1;

// How many lines the row of an order says it has.
std::int64_t lines_of(const Fields& order) {
  const std::int64_t lines = order.number(order_field::lines, 0);
  return std::clamp<std::int64_t>(lines, 0, kMostLines);
}

class Tpcc final : public Workload {
 public:
  explicit Tpcc(const WorkloadOptions& options)
      : seed_(options.seed),
        sizes_(options.settings),
        uneven_(options.seed),
        kinds_({45, 43, 4, 4, 4}),
        unknown_item_(0.01),
        by_name_(0.6),
        remote_(0.01) {}

  void load(const PutInitial& put) const override {
    load_tables(sizes_, uneven_, seed_, put);
  }

  std::unique_ptr<Client> client(std::uint32_t session) override {
    return std::make_unique<Session>(*this, session);
  }

 private:
  // Where a task happens.
  struct Place {
    std::uint32_t w;
    std::uint32_t d;
  };
  // Who is looked up: by name, or by number.
  struct Wanted {
    bool by_name;
    std::string name;
    std::uint32_t number;
  };
  struct Customer {
    std::int64_t number;
    Fields row;
  };
  struct Line {
    std::int64_t item;
    std::uint32_t supplier;
    std::int64_t quantity;
  };

  Place place(Random& random) const {
    const std::uint32_t w = 1 + random.below(sizes_.warehouses);
    return Place{.w = w, .d = 1 + random.below(kDistricts)};
  }

  Wanted wanted(Random& random) const {
    const bool named = by_name_(random);
    const std::uint32_t name = uneven_.name(random, sizes_.names());
    return Wanted{.by_name = named,
                  .name = last_name(name),
                  .number = uneven_.customer(random, sizes_.customers)};
  }

  // The lines of a new order; their items are distinct.
  std::vector<Line> draw_lines(Random& random, std::uint32_t w) const {
    std::vector<Line> lines;
    const std::size_t count =
        kLeastLines + random.below(kMostLines - kLeastLines + 1);
    while (lines.size() < count) {
      const std::int64_t item = uneven_.item(random, sizes_.items);
      const auto same = [item](const Line& line) { return line.item == item; };
      if (std::any_of(lines.begin(), lines.end(), same)) continue;
      std::uint32_t supplier = w;
      if (sizes_.warehouses > 1 && remote_(random)) {
        supplier = 1 + random.below(sizes_.warehouses - 1);
        supplier += supplier >= w ? 1 : 0;
      }
      lines.push_back(Line{.item = item,
                           .supplier = supplier,
                           .quantity = std::int64_t{1} + random.below(10)});
    }
    if (unknown_item_(random)) lines.back().item = kUnknownItem;
    return lines;
  }

  class Session final : public Client {
   public:
    Session(const Tpcc& workload, std::uint32_t number)
        : workload_(workload), next_history_(number * kRange) {}

    Task task(Random random) override {
      constexpr Task (Session::*kTasks[])(Random) = {
          &Session::new_order, &Session::payment, &Session::order_status,
          &Session::delivery, &Session::stock_level};
      return (this->*kTasks[workload_.kinds_(random)])(random);
    }

   private:
    Task new_order(Random random);
    Task payment(Random random);
    Task order_status(Random random);
    Task delivery(Random random);
    Task stock_level(Random random);
    // All customers of a name are read; it is the one in the middle, by first
    // name. If nobody has it, the one with the number.
    Part<Customer> find_customer(Place at, Wanted wanted);

    const Tpcc& workload_;
    std::uint64_t next_history_;
  };

  std::uint64_t seed_;
  Sizes sizes_;
  Uneven uneven_;
  Weights kinds_;
  Coin unknown_item_;
  Coin by_name_;
  Coin remote_;
};

Part<Tpcc::Customer> Tpcc::Session::find_customer(Place at, Wanted wanted) {
  std::vector<Customer> found;
  if (wanted.by_name) {
    const Row index = co_await step::read(name_key(wanted.name, at.w, at.d));
    const Fields numbers(index.payload);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t number = numbers.number(i, 0);
      if (number <= 0 || number > workload_.sizes_.customers) continue;
      const Row row = co_await step::read(customer_key(at.w, at.d, number));
      found.push_back(Customer{.number = number, .row = Fields(row.payload)});
    }
  }
  if (found.empty()) {
    const std::int64_t number = wanted.number;
    const Row row = co_await step::read(customer_key(at.w, at.d, number));
    found.push_back(Customer{.number = number, .row = Fields(row.payload)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Customer& a, const Customer& b) {
                     return a.row.text(customer_field::first) <
                            b.row.text(customer_field::first);
                   });
  co_return std::move(found[(found.size() - 1) / 2]);
}

Task Tpcc::Session::new_order(Random random) {
  const Place at = workload_.place(random);
  const std::uint32_t buyer =
      workload_.uneven_.customer(random, workload_.sizes_.customers);
  const std::vector<Line> lines = workload_.draw_lines(random, at.w);

  co_await step::begin("new-order");
  co_await step::read(warehouse_key(at.w));
  const Row district_row = co_await step::read(district_key(at.w, at.d));
  Fields district(district_row.payload);
  const std::int64_t order =
      district.number(district_field::next_order, workload_.sizes_.orders + 1);
  district.set(district_field::next_order, order + 1);
  co_await step::write(district_key(at.w, at.d), district.payload());
  co_await step::read(customer_key(at.w, at.d, buyer));

  Fields row;
  row.set(order_field::customer, std::int64_t{buyer});
  row.set(order_field::carrier, std::int64_t{0});
  row.set(order_field::lines, static_cast<std::int64_t>(lines.size()));
  co_await step::write(order_key(at.w, at.d, order), row.payload());
  co_await step::write(new_order_key(at.w, at.d, order), "1");
  const Row list_row = co_await step::read(new_orders_key(at.w, at.d));
  Fields list(list_row.payload);
  list.set(new_orders_field::first,
           list.number(new_orders_field::first, order));
  list.set(new_orders_field::last, order);
  co_await step::write(new_orders_key(at.w, at.d), list.payload());

  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    const Row item = co_await step::read(item_key(line.item));
    if (!item.exists) {
      co_await step::rollback();
      co_return;
    }
    const std::int64_t price =
        Fields(item.payload).number(item_field::price, 0);
    const std::string stock_name = stock_key(line.supplier, line.item);
    const Row stock_row = co_await step::read(stock_name);
    Fields stock(stock_row.payload);
    std::int64_t left = stock.number(stock_field::quantity, 0) - line.quantity;
    if (left < 10) left += 91;
    stock.set(stock_field::quantity, left);
    stock.set(stock_field::ytd,
              stock.number(stock_field::ytd, 0) + line.quantity);
    stock.set(stock_field::orders, stock.number(stock_field::orders, 0) + 1);
    if (line.supplier != at.w) {
      stock.set(stock_field::remote, stock.number(stock_field::remote, 0) + 1);
    }
    co_await step::write(stock_name, stock.payload());
    Fields sold;
    sold.set(line_field::item, line.item);
    sold.set(line_field::supplier, std::int64_t{line.supplier});
    sold.set(line_field::quantity, line.quantity);
    sold.set(line_field::amount, line.quantity * price);
    sold.set(line_field::delivered, std::int64_t{0});
    const auto number = static_cast<std::int64_t>(i + 1);
    co_await step::write(order_line_key(at.w, at.d, order, number),
                         sold.payload());
  }
  co_await step::commit();
}

Task Tpcc::Session::payment(Random random) {
  const Place at = workload_.place(random);
  Wanted wanted = workload_.wanted(random);
  const std::int64_t amount = std::int64_t{100} + random.below(499901);
  const std::uint64_t history = next_history_++;

  co_await step::begin("payment");
  co_await step::read(warehouse_key(at.w));
  co_await step::read(district_key(at.w, at.d));
  Customer customer = co_await find_customer(at, std::move(wanted));
  Fields& row = customer.row;
  row.set(customer_field::balance,
          row.number(customer_field::balance, 0) - amount);
  row.set(customer_field::ytd_payment,
          row.number(customer_field::ytd_payment, 0) + amount);
  row.set(customer_field::payments,
          row.number(customer_field::payments, 0) + 1);
  co_await step::write(customer_key(at.w, at.d, customer.number),
                       row.payload());
  Fields paid;
  paid.add(at.w);
  paid.add(at.d);
  paid.add(customer.number);
  paid.add(amount);
  co_await step::write(history_key(history), paid.payload());
  co_await step::commit();
}

Task Tpcc::Session::order_status(Random random) {
  const Place at = workload_.place(random);
  Wanted wanted = workload_.wanted(random);

  co_await step::begin("order-status", true);
  const Customer customer = co_await find_customer(at, std::move(wanted));
  const std::int64_t order = customer.number;
  const Row row = co_await step::read(order_key(at.w, at.d, order));
  const std::int64_t lines = lines_of(Fields(row.payload));
  for (std::int64_t line = 1; line <= lines; ++line) {
    co_await step::read(order_line_key(at.w, at.d, order, line));
  }
  co_await step::commit();
}

Task Tpcc::Session::delivery(Random random) {
  const Place at = workload_.place(random);
  const std::int64_t carrier = std::int64_t{1} + random.below(10);

  co_await step::begin("delivery");
  const Row list_row = co_await step::read(new_orders_key(at.w, at.d));
  Fields list(list_row.payload);
  const std::int64_t order = list.number(new_orders_field::first, 1);
  if (order > list.number(new_orders_field::last, 0)) {
    co_await step::commit();
    co_return;
  }
  co_await step::read(new_order_key(at.w, at.d, order));
  // Instead of deleting it.
  co_await step::write(new_order_key(at.w, at.d, order), "");
  list.set(new_orders_field::first, order + 1);
  co_await step::write(new_orders_key(at.w, at.d), list.payload());
  const Row order_row = co_await step::read(order_key(at.w, at.d, order));
  Fields row(order_row.payload);
  row.set(order_field::carrier, carrier);
  co_await step::write(order_key(at.w, at.d, order), row.payload());

  const std::int64_t lines = lines_of(row);
  std::int64_t sum = 0;
  for (std::int64_t i = 1; i <= lines; ++i) {
    const std::string name = order_line_key(at.w, at.d, order, i);
    const Row line_row = co_await step::read(name);
    Fields line(line_row.payload);
    sum += line.number(line_field::amount, 0);
    line.set(line_field::delivered, std::int64_t{1});
    co_await step::write(name, line.payload());
  }

  const std::int64_t number = row.number(order_field::customer, 1);
  const std::string name = customer_key(at.w, at.d, number);
  const Row customer_row = co_await step::read(name);
  Fields customer(customer_row.payload);
  customer.set(customer_field::balance,
               customer.number(customer_field::balance, 0) + sum);
  customer.set(customer_field::deliveries,
               customer.number(customer_field::deliveries, 0) + 1);
  co_await step::write(name, customer.payload());
  co_await step::commit();
}

Task Tpcc::Session::stock_level(Random random) {
  const Place at = workload_.place(random);

  co_await step::begin("stock-level", true);
  const Row district = co_await step::read(district_key(at.w, at.d));
  const std::int64_t next =
      Fields(district.payload)
          .number(district_field::next_order, workload_.sizes_.orders + 1);
  co_await step::commit();
  for (std::int64_t order = next - kRecentOrders; order < next; ++order) {
    co_await step::begin("stock-level", true);
    const Row row = co_await step::read(order_key(at.w, at.d, order));
    const std::int64_t lines = lines_of(Fields(row.payload));
    for (std::int64_t i = 1; i <= lines; ++i) {
      const Row line =
          co_await step::read(order_line_key(at.w, at.d, order, i));
      const std::int64_t item =
          Fields(line.payload).number(line_field::item, 0);
      if (item > 0) co_await step::read(stock_key(at.w, item));
    }
    co_await step::commit();
  }
}

}  // namespace

std::unique_ptr<Workload> make_tpcc(const WorkloadOptions& options) {
  return std::make_unique<Tpcc>(options);
}

}  // namespace awdit
