// The main program of tests of databases: with --as-nobody, root becomes nobody
// first; who is not root has nothing to add to the test without it.
#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

int main(int count, char** words) {
  testing::InitGoogleTest(&count, words);
  if (count > 1 && std::string_view(words[1]) == "--as-nobody") {
    if (geteuid() != 0) {
      std::puts("skipped: only root can become nobody");
      return 77;
    }
    const passwd* nobody = getpwnam("nobody");
    if (nobody == nullptr || setgroups(0, nullptr) != 0 ||
        setgid(nobody->pw_gid) != 0 || setuid(nobody->pw_uid) != 0) {
      std::perror("cannot become nobody");
      return 1;
    }
  }
  return RUN_ALL_TESTS();
}
