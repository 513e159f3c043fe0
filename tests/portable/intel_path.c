/* Preloaded where the processor is not Intel's: MKL then takes the code that it takes on Intel's processors, which is the
   only one that heeds MKL_ENABLE_INSTRUCTIONS. */
int mkl_serv_intel_cpu_true(void) { return 1; }
int mkl_serv_intel_cpu(void) { return 1; }
