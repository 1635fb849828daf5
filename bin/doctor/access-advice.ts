const NO_REGION = /region is missing|no region/i;
/** What the SDK calls it when it finds no credentials, or none that are still good. */
const NO_CREDENTIALS = [
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
];

/** What to do where AWS could not be asked at all. */
export function accessAdvice(message: string): string {
  if (NO_REGION.test(message)) return 'No region is set: set AWS_REGION, or one for the profile';
  return `AWS does not know you: set AWS_PROFILE, or sign in (aws sso login). It says: ${message}`;
}

/** Undefined for whatever else went wrong. */
export const adviceFor = ({ name, message }: Error): string | undefined =>
  NO_REGION.test(message) || NO_CREDENTIALS.includes(name) ? accessAdvice(message) : undefined;
