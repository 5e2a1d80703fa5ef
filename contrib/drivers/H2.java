// H2 through JDBC (Debian: openjdk-17-jdk-headless, libh2-java, libgson-java), as
// a driver for awdit.
//
//   CP=/usr/share/java/h2.jar:/usr/share/java/gson.jar; javac -cp $CP -d . H2.java
//   awdit run --db "exec:java -cp $CP:. H2 jdbc:h2:mem:test"
//
// A machine for every session would take a second each to start, so one serves
// all of them (multiplexed): a thread per session, as statements may wait for
// locks. A value is kept as its JSON text.
import com.google.gson.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;
import java.util.concurrent.*;

public class H2 {
  // Its SERIALIZABLE is snapshot isolation; of REPEATABLE READ the manual says
  // only what cannot be read.
  static final List<String> LEVELS =
      List.of("serializable", "snapshot", "repeatable read", "read committed");
  static final List<String> CLAIMS =
      List.of("snapshot-isolation", "snapshot-isolation", "", "read-committed");

  static synchronized void tell(JsonObject reply, int session) {
    reply.addProperty("session", session);
    System.out.println(reply);  // which flushes
  }

  final ExecutorService thread = Executors.newSingleThreadExecutor();
  final Connection link;

  H2(String url, String level) throws SQLException {
    link = DriverManager.getConnection(url + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1000");
    run("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level).close();
  }

  JsonObject hello(String level) throws SQLException {
    return new Gson().toJsonTree(Map.of("hello", 1, "levels", LEVELS,
        "name", "H2 " + link.getMetaData().getDatabaseProductVersion(),
        "claims", CLAIMS.get(LEVELS.indexOf(level)),
        "can", List.of("interactive", "multiplexed"))).getAsJsonObject();
  }

  PreparedStatement run(String text, String... values) throws SQLException {
    PreparedStatement asked = link.prepareStatement(text);
    for (int i = 0; i < values.length; ++i) asked.setString(i + 1, values[i]);
    asked.execute();
    return asked;
  }

  JsonElement read(String key) throws SQLException {
    try (PreparedStatement asked = run("SELECT v FROM kv WHERE k = ?", key)) {
      ResultSet found = asked.getResultSet();
      return found.next() ? JsonParser.parseString(found.getString(1)) : JsonNull.INSTANCE;
    }
  }

  JsonObject answer(JsonObject request) {
    JsonObject reply = new JsonObject();
    reply.add("id", request.get("id"));
    String what = request.get("do").getAsString();
    String key = request.has("key") ? request.get("key").getAsString() : "";
    try {
      switch (what) {
        case "reset":
          run("DROP TABLE IF EXISTS kv").close();
          run("CREATE TABLE kv (k VARCHAR PRIMARY KEY, v VARCHAR NOT NULL)").close();
          break;
        case "begin": link.setAutoCommit(false); break;
        case "read": reply.add("value", read(key)); break;
        case "write": run("MERGE INTO kv VALUES (?, ?)", key, "" + request.get("value")).close(); break;
        case "commit": link.commit(); link.setAutoCommit(true); break;
        case "rollback": link.rollback(); link.setAutoCommit(true); break;
      }
      reply.addProperty("ok", true);
    } catch (SQLException trouble) {
      reply.addProperty("ok", false);
      reply.addProperty("outcome", "aborted");
      reply.addProperty("why", trouble.getSQLState() + " " + trouble.getErrorCode());
      undo(false);
    }
    return reply;
  }

  void undo(boolean last) {
    try {
      link.rollback();
      link.setAutoCommit(true);
      if (last) link.close();
    } catch (SQLException ended) { System.err.println(ended); }
  }

  public static void main(String[] words) throws Exception {
    Map<Integer, H2> sessions = new HashMap<>();
    BufferedReader lines = new BufferedReader(
        new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      int number = request.get("session").getAsInt();
      if (request.has("hello")) {
        JsonElement asked = request.get("level");
        String level = asked.isJsonNull() ? LEVELS.get(0) : asked.getAsString();
        sessions.put(number, new H2(words[0], level));
        tell(sessions.get(number).hello(level), number);
        continue;
      }
      boolean last = request.get("do").getAsString().equals("close");
      H2 session = sessions.get(number);
      session.thread.execute(() -> {
        if (last) session.undo(true);
        else tell(session.answer(request), number);
      });
      if (last) session.thread.shutdown();
    }
    System.exit(0);
  }
}
