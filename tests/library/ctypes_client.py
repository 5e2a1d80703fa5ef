#!/usr/bin/env python3
"""A client without a compiler: ctypes, as bindings do it. Quiet if all is well.

    ctypes_client.py LIBRARY
"""

import ctypes
import json
import sys

lib = ctypes.CDLL(sys.argv[1])
for name in ("error_message", "error_hint", "bytes_data", "table_name"):
    getattr(lib, "awdit_" + name).restype = ctypes.c_char_p
lib.awdit_bytes_size.restype = ctypes.c_size_t
lib.awdit_table_size.restype = ctypes.c_size_t
lib.awdit_session_begin.argtypes = [ctypes.c_void_p, ctypes.c_int64]
for name in ("read", "write"):
    getattr(lib, f"awdit_session_{name}_integer").argtypes = [
        ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]


class Value(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("unused", ctypes.c_uint32),
                ("bits", ctypes.c_uint64), ("text", ctypes.c_char_p)]


class Progress(ctypes.Structure):
    _fields_ = [("stage", ctypes.c_char_p), ("at", ctypes.c_char_p),
                ("done", ctypes.c_uint64), ("total", ctypes.c_uint64),
                ("seconds", ctypes.c_double)]


ABI = lib.awdit_abi()
NO_ID = -2**63


def call(function, *arguments):
    """Calls what hands out an error last."""
    error = ctypes.c_void_p()
    status = function(*arguments, ctypes.byref(error))
    message = lib.awdit_error_message(error)
    lib.awdit_error_free(error)
    assert status == 0, (status, message)


builder = ctypes.c_void_p()
call(lib.awdit_builder_new, ABI, ctypes.byref(builder))
sessions = []
for number in range(3):
    session = ctypes.c_void_p()
    assert lib.awdit_builder_session(
        builder, ctypes.byref(Value(0, 0, number, None)),
        ctypes.byref(session)) == 0
    sessions.append(session)
for session, calls in zip(sessions, (["write", 1, 7], ["write", 2, 8],
                                     ["read", 2, 8])):
    assert lib.awdit_session_begin(session, NO_ID) == 0
    function = getattr(lib, f"awdit_session_{calls[0]}_integer")
    assert function(session, calls[1], calls[2]) == 0
    assert lib.awdit_session_commit(session) == 0
history = ctypes.c_void_p()
call(lib.awdit_builder_finish, builder, None, ctypes.byref(history))
lib.awdit_builder_free(builder)

heard = []


@ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(Progress))
def on_progress(_user, progress):
    heard.append(progress.contents.stage)
    return 0


options = ctypes.c_void_p()
call(lib.awdit_options_new, ABI, ctypes.byref(options))
assert lib.awdit_options_progress(options, on_progress, None) == 0
report = ctypes.c_void_p()
call(lib.awdit_check, history, b"all", options, ctypes.byref(report))
assert lib.awdit_report_worst(report) == 0
text = ctypes.c_void_p()
call(lib.awdit_report_render, report, b"json", None, ctypes.byref(text))
told = json.loads(lib.awdit_bytes_data(text))
assert all(level["verdict"] == "holds" for level in told["levels"]), told
names = [lib.awdit_table_name(0, i).decode()
         for i in range(lib.awdit_table_size(0))]
assert {level["level"] for level in told["levels"]} <= set(names), told
lib.awdit_bytes_free(text)
lib.awdit_report_free(report)
lib.awdit_options_free(options)
lib.awdit_history_free(history)
