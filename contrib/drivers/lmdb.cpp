// LMDB (Debian: liblmdb-dev, libsimdjson-dev), as a driver for awdit.
//
//   g++ -std=c++20 -O2 lmdb.cpp -o lmdb -llmdb -lsimdjson
//   awdit run --db 'exec:./lmdb /var/tmp/test.mdb'
//
// A process per session, all on one file. One transaction writes at a time, and
// waits for the one before it when it begins; readers have a snapshot. So it is
// serializable, and strictly so. A value is kept as its JSON text, and a list
// as that of an array.
#include <lmdb.h>
#include <simdjson.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

namespace {

using simdjson::dom::element;

MDB_env* env = nullptr;
MDB_txn* txn = nullptr;
MDB_dbi table = 0;

// What no driver can mend ends it: the log says why, awdit draws the
// conclusion.
void must(int code) {
  if (code == MDB_SUCCESS) return;
  std::cerr << mdb_strerror(code) << std::endl;
  std::exit(1);
}

MDB_val as_val(const std::string& text) {
  return {text.size(), const_cast<char*>(text.data())};
}

std::optional<std::string> read(const std::string& key) {
  MDB_val name = as_val(key);
  MDB_val found;
  const int code = mdb_get(txn, table, &name, &found);
  if (code == MDB_NOTFOUND) return std::nullopt;
  must(code);
  return std::string(static_cast<char*>(found.mv_data), found.mv_size);
}

void write(const std::string& key, const std::string& value) {
  MDB_val name = as_val(key);
  MDB_val content = as_val(value);
  must(mdb_put(txn, table, &name, &content, 0));
}

void open(const char* path) {
  must(mdb_env_create(&env));
  must(mdb_env_set_mapsize(env, std::size_t{1} << 30));
  must(mdb_env_set_maxreaders(env, 1000));
  must(mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOSYNC, 0600));
  must(mdb_txn_begin(env, nullptr, 0, &txn));
  must(mdb_dbi_open(txn, nullptr, 0, &table));
  must(mdb_txn_commit(txn));
  txn = nullptr;
}

// The members of the reply, each with a comma before it.
std::string answer(const std::string& what, element request) {
  std::string_view name;
  std::string key;
  if (request["key"].get(name) == simdjson::SUCCESS) key = name;
  if (what == "reset") {
    must(mdb_txn_begin(env, nullptr, 0, &txn));
    must(mdb_drop(txn, table, 0));
    must(mdb_txn_commit(txn));
    txn = nullptr;
  } else if (what == "begin") {
    const bool reads = request["read_only"].error() == simdjson::SUCCESS;
    must(mdb_txn_begin(env, nullptr, reads ? MDB_RDONLY : 0, &txn));
  } else if (what == "read") {
    return ",\"value\":" + read(key).value_or("null");
  } else if (what == "write") {
    write(key, simdjson::to_string(element(request["value"])));
  } else if (what == "append") {
    std::string list = read(key).value_or("[");
    if (list.back() == ']') list.back() = ',';
    write(key, list + simdjson::to_string(element(request["value"])) + "]");
  } else if (what == "commit") {
    must(mdb_txn_commit(txn));
    txn = nullptr;
  } else if (what == "rollback") {
    mdb_txn_abort(txn);
    txn = nullptr;
  }
  return "";
}

}  // namespace

int main(int, char** words) {
  simdjson::dom::parser parser;
  for (std::string line; std::getline(std::cin, line);) {
    const element request = parser.parse(line);
    if (request["hello"].error() == simdjson::SUCCESS) {
      open(words[1]);
      std::cout << R"({"hello":1,"name":"LMDB )" << MDB_VERSION_MAJOR << "."
                << MDB_VERSION_MINOR << "." << MDB_VERSION_PATCH
                << R"(","levels":["serializable"],"claims":)"
                << R"("strict-serializable","can":["interactive","lists"]})"
                << std::endl;
      continue;
    }
    const std::string what{std::string_view(request["do"])};
    if (what == "close") break;
    const std::string rest = answer(what, request);
    std::cout << "{\"id\":" << std::uint64_t(request["id"]) << ",\"ok\":true"
              << rest << "}" << std::endl;
  }
  if (txn != nullptr) mdb_txn_abort(txn);
}
