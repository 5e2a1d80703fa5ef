// PostgreSQL through database/sql and lib/pq (Debian: golang-go,
// golang-github-lib-pq-dev), as a driver for awdit.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build postgres.go
//	awdit run --db 'exec:./postgres postgres://me@host/test?sslmode=disable'
//
// A value is kept as the very JSON that came (json.RawMessage): decoded into an
// interface{} a number would become a float64.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"
	"os"

	"github.com/lib/pq"
)

var levels = map[string]sql.IsolationLevel{"": sql.LevelSerializable, "serializable": sql.LevelSerializable,
	"repeatable-read": sql.LevelRepeatableRead, "read-committed": sql.LevelReadCommitted}
var claims = map[string]string{"": "serializable", "serializable": "serializable",
	"repeatable-read": "snapshot-isolation", "read-committed": "read-committed"}

type object map[string]interface{}
type request struct {
	Hello, Id      int
	Level, Do, Key string
	Value          json.RawMessage
	ReadOnly       bool `json:"read_only"`
}
type session struct {
	conn  *sql.Conn
	txn   *sql.Tx
	level string
}

var all = context.Background()

func (s *session) hello(r request) object {
	s.level = r.Level
	var version string
	db, err := sql.Open("postgres", os.Args[1])
	if err == nil {
		s.conn, err = db.Conn(all)
	}
	if err != nil {
		log.Fatal(err) // to standard error; awdit asks again
	}
	s.conn.QueryRowContext(all, "SHOW server_version").Scan(&version)
	return object{"hello": 1, "name": "PostgreSQL " + version,
		"levels": []string{"serializable", "repeatable-read", "read-committed"},
		"claims": claims[s.level], "can": []string{"interactive"}}
}

func (s *session) answer(r request) (interface{}, error) {
	var err error
	switch r.Do {
	case "reset":
		_, err = s.conn.ExecContext(all, `DROP TABLE IF EXISTS awdit_go;
			CREATE TABLE awdit_go (k TEXT PRIMARY KEY, v TEXT NOT NULL)`)
	case "begin":
		s.txn, err = s.conn.BeginTx(all, &sql.TxOptions{
			Isolation: levels[s.level], ReadOnly: r.ReadOnly})
	case "read":
		var value string
		err = s.txn.QueryRow("SELECT v FROM awdit_go WHERE k = $1", r.Key).Scan(&value)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, nil
		}
		return json.RawMessage(value), err
	case "write":
		_, err = s.txn.Exec(`INSERT INTO awdit_go VALUES ($1, $2)
			ON CONFLICT (k) DO UPDATE SET v = excluded.v`, r.Key, string(r.Value))
	case "commit":
		err = s.txn.Commit()
	case "rollback":
		err = s.txn.Rollback()
	}
	return nil, err
}

// The server's word is a no; without one, after COMMIT, nobody knows.
func (s *session) refusal(r request, err error) object {
	if s.txn != nil {
		s.txn.Rollback()
	}
	var said *pq.Error
	no := object{"ok": false, "outcome": "aborted", "why": err.Error()}
	if errors.As(err, &said) && said.Severity == "ERROR" {
		no["why"] = said.Code
	} else if r.Do == "commit" {
		no["outcome"] = "unknown"
	}
	return no
}

func main() {
	in, out, s := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout), &session{}
	for {
		var r request
		if in.Decode(&r) != nil || r.Do == "close" {
			return
		}
		if r.Hello != 0 {
			out.Encode(s.hello(r))
			continue
		}
		value, err := s.answer(r)
		reply := object{"ok": true, "value": value}
		if err != nil {
			reply = s.refusal(r, err)
		}
		reply["id"] = r.Id
		out.Encode(reply)
	}
}
