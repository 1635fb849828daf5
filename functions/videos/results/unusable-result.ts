/** A provider's result is not an MP4, or is larger than we accept. */
export class UnusableResult extends Error {
  override readonly name = 'UnusableResult';
}
