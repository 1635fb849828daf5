/**
 * Frees the memory of a chunk now, where the garbage collector would let dozens of megabytes add up first. So the next
 * chunk gets the same memory while it is still in the CPU's cache. Every view of the chunk is empty from then on.
 */
export function freeMemory({ buffer, byteLength }: Buffer<ArrayBuffer>): void {
  // Small chunks of Node.js share their memory with others.
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}
