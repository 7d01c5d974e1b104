// The certificate of the ports for players, as files that change.
#include "certificates.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "made_certificate.hpp"
#include "perigee/host/output.hpp"

namespace perigee::session {
namespace {

class ALogInCertificate : public testing::Test {
 protected:
  ALogInCertificate() {
    std::string name = (std::filesystem::temp_directory_path() / "perigee-test-XXXXXX").string();
    folder = mkdtemp(name.data());
    MadeCertificate("one", 30).write(folder / "crt", folder / "key");
  }
  ~ALogInCertificate() override { std::filesystem::remove_all(folder); }

  Certificates open() const {
    auto opened = Certificates::open({(folder / "crt").string(), (folder / "key").string()});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return std::move(*opened);
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  }
  static std::string logged(auto act) {
    testing::internal::CaptureStderr();
    act();
    host::flush_output(10'000'000);
    return testing::internal::GetCapturedStderr();
  }
  static bool ends_in_days(const Certificates& certificates, std::int64_t days) {
    const std::int64_t left_s = certificates.expires_unix_s() - std::time(nullptr);
    return left_s > (days - 1) * 86'400 && left_s < (days + 1) * 86'400;
  }

  std::filesystem::path folder;
};

TEST_F(ALogInCertificate, IsReadAgainWhenItsFilesHaveChanged) {
  Certificates certificates = open();
  EXPECT_EQ(logged([&] { certificates.follow(); }), "");
  MadeCertificate("two", 60).write(folder / "crt", folder / "key");
  EXPECT_EQ(count(logged([&] { certificates.follow(); }), "certificate reloaded"), 1U);
  EXPECT_TRUE(ends_in_days(certificates, 60));
  EXPECT_EQ(certificates.for_http()->expires_unix_s(), certificates.for_grpc()->expires_unix_s());
  EXPECT_EQ(logged([&] { certificates.follow(); }), "");
}

TEST_F(ALogInCertificate, StaysUntilTheKeyOfTheNewOneIsThere) {
  Certificates certificates = open();
  const MadeCertificate two("two", 60);
  std::ofstream(folder / "crt") << two.certificate;
  const std::string said = logged([&] {
    for (int second = 0; second < 3; ++second) certificates.follow();
  });
  EXPECT_EQ(count(said, "keeping the old certificate"), 1U) << said;
  EXPECT_TRUE(ends_in_days(certificates, 30));
  std::filesystem::remove(folder / "key");
  const std::string another = logged([&] { certificates.follow(); });
  EXPECT_EQ(count(another, "keeping the old certificate"), 1U) << another;
  const std::string asked_for = logged([&] { certificates.reload(); });
  EXPECT_EQ(count(asked_for, "keeping the old certificate"), 1U) << asked_for;
  two.write(folder / "crt", folder / "key");
  certificates.follow();
  EXPECT_TRUE(ends_in_days(certificates, 60));
}

TEST_F(ALogInCertificate, IsTheSameOfBothPortsHoweverFastItsFilesChange) {
  const MadeCertificate pairs[] = {MadeCertificate("one", 30), MadeCertificate("two", 60)};
  for (const int i : {0, 1}) {
    const auto pair = folder / std::to_string(i);
    std::filesystem::create_directory(pair);
    pairs[i].write(pair / "crt", pair / "key");
  }
  // As Kubernetes replaces a secret: a link changes to another folder.
  const auto show = [&](int i) {
    std::filesystem::create_directory_symlink(folder / std::to_string(i), folder / "next");
    std::filesystem::rename(folder / "next", folder / "data");
  };
  show(0);
  for (const char* name : {"crt", "key"}) {
    std::filesystem::remove(folder / name);
    std::filesystem::create_symlink(folder / "data" / name, folder / name);
  }
  Certificates certificates = open();
  std::atomic<bool> over = false;
  std::thread other([&] {
    for (int i = 1; !over; i = 1 - i) show(i);
  });
  int differ = 0;
  logged([&] {
    for (int look = 0; look < 300; ++look) {
      certificates.reload();
      if (certificates.for_http()->expires_unix_s() != certificates.for_grpc()->expires_unix_s()) {
        ++differ;
      }
    }
  });
  over = true;
  other.join();
  EXPECT_EQ(differ, 0);
}

}  // namespace
}  // namespace perigee::session
