// What is linked on the device, so that the library has relocatable code.
__device__ int elsewhere(int arch) { return arch; }
