// Says which of several entries of a container the driver has taken.
#ifndef BUILD
#define BUILD 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define ALL 1
#else
#define ALL 0
#endif

#ifdef __CUDA_ARCH__
#define ARCH __CUDA_ARCH__
#else
// The host compiles kernels, too, and runs none.
#define ARCH 0
#endif

extern "C" __global__ void which(int *said) {
    said[0] = ARCH;
    said[1] = BUILD << 1 | ALL;
}

#ifdef HOST
__device__ int elsewhere(int);

__global__ void far(int *said) { said[0] = elsewhere(ARCH); }

// The first kernel's architecture, or the runtime's error below 0.
extern "C" int run(int is_far) {
    int *memory, said[2] = {};
    if (int code = cudaMalloc(&memory, sizeof said)) return -code;
    if (is_far) far<<<1, 1>>>(memory); else which<<<1, 1>>>(memory);
    if (int code = cudaGetLastError()) return -code;
    if (int code = cudaMemcpy(said, memory, sizeof said, cudaMemcpyDeviceToHost)) return -code;
    return said[0];
}
#endif
