/** What to do if the AWS SDK finds no region or no credentials. */
export function awsAdvice(message: string): string {
  if (/region/i.test(message)) return 'No region is set: set AWS_REGION, or a region in the profile';
  return `AWS does not accept your credentials: set AWS_PROFILE, or sign in (aws sso login). It says: ${message}`;
}

/** Whether the user must set the region or credentials. The SDK has no error class for a missing region. */
export const isUnsetForAws = ({ name, message }: Error): boolean =>
  message === 'Region is missing' || name === 'CredentialsProviderError';
