// CUDA's resources as values that clean up after themselves, and its errors as failures.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "device/matmul_unit.h"

namespace mmaprint::cuda {

/// "cuda:0: cudaMalloc: cudaErrorMemoryAllocation (out of memory)"
[[nodiscard]] inline DeviceFailure failure(std::string_view device, std::string_view call,
                                           cudaError_t error) {
  return {std::string(device) + ": " + std::string(call) + ": " + cudaGetErrorName(error) + " (" +
          cudaGetErrorString(error) + ")"};
}

/// Device memory that grows when asked to; what it held is lost then.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceBuffer() { (void)cudaFree(memory_); }

  [[nodiscard]] cudaError_t reserve(std::size_t bytes) {
    if (bytes <= bytes_) return cudaSuccess;
    (void)cudaFree(std::exchange(memory_, nullptr));
    bytes_ = 0;
    const cudaError_t error = cudaMalloc(&memory_, bytes);
    if (error == cudaSuccess) bytes_ = bytes;
    return error;
  }
  [[nodiscard]] void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

class Stream {
 public:
  Stream() = default;
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~Stream() {
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }
  [[nodiscard]] cudaError_t create() { return cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace mmaprint::cuda
