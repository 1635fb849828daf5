const MIB = 1024 * 1024;

/** Each took seconds to hours of what reads it, once. */
export const BODIES: Readonly<Record<string, () => Buffer>> = {
  'a long word in an element': () => Buffer.from(`<Override ${'a'.repeat(MIB)}>`),
  'blanks between an equals sign and a quote': () =>
    Buffer.from(`content-disposition: form-data;!=${'\t'.repeat(MIB)}"`),
  'blanks before the end of a header': () =>
    Buffer.from(`content-disposition: form-data; name=x${' '.repeat(MIB)}y`),
  'letters without a digit': () => Buffer.from('a'.repeat(MIB)),
  'addresses without a query': () => Buffer.from('http://'.repeat(MIB / 8)),
};
