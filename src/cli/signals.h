// The signals that end us.
//
// All five are treated alike: what is half written is removed, and a recording
// ends in good order. SIGXFSZ is none of them: a file that may not grow is an
// error of writing like a full disk (see console.cpp).
#pragma once

#include <csignal>

namespace awdit::cli {

inline constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT,
                                         SIGXCPU};

inline sigset_t ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : kEndingSignals) sigaddset(&ending, signal);
  return ending;
}

// Holds them back, so that something and the note of how to undo it come into
// being together.
class SignalsHeld {
 public:
  SignalsHeld() {
    const sigset_t ending = ending_signals();
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace awdit::cli
