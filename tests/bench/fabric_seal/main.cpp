// bench_fabric_seal: the cost of a sealed fabric datagram, beside that of the algorithms that were
// not chosen (decision 0117).
#include <openssl/evp.h>
#include <sodium.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "bench/common/suite.hpp"
#include "perigee/fabric_seal/seal.hpp"

namespace perigee::bench {
namespace {

using fabric_seal::Seal;

constexpr std::uint32_t cluster = 5;
constexpr Address gateway_address = Address::v4(10, 0, 0, 1, 30);
constexpr Address worker_address = Address::v4(10, 0, 0, 1, 40);
/// Records of one datagram: an input alone, a batch of inputs, a block.
constexpr std::array<std::size_t, 3> sizes{110, 400, 1'130};
constexpr std::size_t calls = 4'000;
constexpr std::size_t ad_bytes = 18;

struct Scratch {
  std::array<unsigned char, 32> key{};
  std::array<unsigned char, 12> nonce{};
  std::array<unsigned char, 2'048> in{};
  std::array<unsigned char, 2'048> out{};
  std::uint64_t number = 0;

  const unsigned char* next_nonce() {
    ++number;
    std::memcpy(nonce.data() + 4, &number, sizeof number);
    return nonce.data();
  }
};

/// A gateway and a worker with the same keys.
struct Ends {
  explicit Ends(FabricSealing sealing) {
    FabricKeys keys{.cluster_id = cluster, .deal = 1, .oldest = 1, .send = 1};
    keys.keys.push_back({.epoch = 1, .sealing = sealing});
    ClusterMap map{.cluster_id = cluster, .version = 1};
    map.gateways.push_back({.fabric = gateway_address, .alive = true, .run = 1});
    map.workers.push_back({.fabric = worker_address, .alive = true, .run = 2});
    for (Seal* each : {&gateway, &worker}) {
      each->identify(0);
      each->on_keys(keys);
      each->on_map(map);
    }
  }
  Seal gateway{FabricSender::Gateway, 1};
  Seal worker{FabricSender::Worker, 2};
};

void measure_ours(const char* name, FabricSealing sealing, std::size_t size, int rounds,
                  Figures& figures) {
  Ends ends(sealing);
  std::vector<std::byte> plain(fabric_header_bytes + size);
  std::vector<std::vector<std::byte>> sent(calls);
  std::vector<double> seal_ns, open_ns;
  for (int round = 0; round < rounds; ++round) {
    seal_ns.push_back(
        ns_per_call(calls, [&] { keep(ends.worker.seal(gateway_address, plain).data()); }));
    for (auto& each : sent) {
      const auto sealed = ends.worker.seal(gateway_address, plain);
      each.assign(sealed.begin(), sealed.end());
    }
    std::size_t i = 0;
    open_ns.push_back(
        ns_per_call(calls, [&] { keep(ends.gateway.open(worker_address, sent[i++])); }));
  }
  const std::string which = std::string(name) + "_ns_" + std::to_string(size);
  figures.add("seal_" + which, median(seal_ns), "ns");
  figures.add("open_" + which, median(open_ns), "ns");
}

template <class Work>
void measure(const char* name, std::size_t size, int rounds, Figures& figures, Work&& work) {
  std::vector<double> ns;
  for (int round = 0; round < rounds; ++round) ns.push_back(ns_per_call(calls, work));
  figures.add(std::string(name) + "_ns_" + std::to_string(size), median(ns), "ns");
}

void measure_libsodium(std::size_t size, int rounds, Figures& figures) {
  Scratch s;
  unsigned long long written = 0;
  measure("sodium_chacha20_poly1305", size, rounds, figures, [&] {
    crypto_aead_chacha20poly1305_ietf_encrypt(s.out.data(), &written, s.in.data(), size,
                                              s.in.data(), ad_bytes, nullptr, s.next_nonce(),
                                              s.key.data());
  });
  measure("poly1305_of_chacha20", size, rounds, figures, [&] {
    std::array<unsigned char, 32> once{};
    crypto_stream_chacha20_ietf(once.data(), once.size(), s.next_nonce(), s.key.data());
    crypto_onetimeauth_poly1305(s.out.data(), s.in.data(), size, once.data());
  });
  measure("siphash_2_4_128", size, rounds, figures,
          [&] { crypto_shorthash_siphashx24(s.out.data(), s.in.data(), size, s.key.data()); });
  measure("blake2b", size, rounds, figures, [&] {
    crypto_generichash(s.out.data(), 16, s.in.data(), size, s.key.data(), s.key.size());
  });
  if (crypto_aead_aes256gcm_is_available() == 0) return;
  crypto_aead_aes256gcm_state state;
  crypto_aead_aes256gcm_beforenm(&state, s.key.data());
  measure("sodium_aes256_gcm", size, rounds, figures, [&] {
    crypto_aead_aes256gcm_encrypt_afternm(s.out.data(), &written, s.in.data(), size, s.in.data(),
                                          ad_bytes, nullptr, s.next_nonce(), &state);
  });
  measure("sodium_gmac", size, rounds, figures, [&] {
    crypto_aead_aes256gcm_encrypt_afternm(s.out.data(), &written, nullptr, 0, s.in.data(), size,
                                          nullptr, s.next_nonce(), &state);
  });
}

void measure_openssl(const char* name, const EVP_CIPHER* cipher, std::size_t size, int rounds,
                     Figures& figures) {
  Scratch s;
  EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, cipher, nullptr, s.key.data(), nullptr);
  int written = 0;
  measure(name, size, rounds, figures, [&] {
    EVP_EncryptInit_ex(context, nullptr, nullptr, nullptr, s.next_nonce());
    EVP_EncryptUpdate(context, nullptr, &written, s.in.data(), ad_bytes);
    EVP_EncryptUpdate(context, s.out.data(), &written, s.in.data(), static_cast<int>(size));
    EVP_EncryptFinal_ex(context, s.out.data() + size, &written);
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, s.out.data() + size);
  });
  EVP_CIPHER_CTX_free(context);
}

Result<Ok> fabric_seal_suite(const Run& run, Figures& figures) {
  if (const auto crypto = fabric_seal::init_crypto(); !crypto) return crypto.error();
  const int rounds = run.quick ? 1 : 51;
  for (const std::size_t size : sizes) {
    print_progress(std::to_string(size) + " bytes of records");
    measure_ours("tag", FabricSealing::Tag, size, rounds, figures);
    measure_ours("encrypt", FabricSealing::Encrypt, size, rounds, figures);
    measure_libsodium(size, rounds, figures);
    measure_openssl("openssl_chacha20_poly1305", EVP_chacha20_poly1305(), size, rounds, figures);
    measure_openssl("openssl_aes128_gcm", EVP_aes_128_gcm(), size, rounds, figures);
  }
  return Ok{};
}

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::bench::run_suite("fabric_seal", argc, argv, perigee::bench::fabric_seal_suite);
}
