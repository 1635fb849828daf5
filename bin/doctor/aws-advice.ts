/** What to do where the AWS SDK says that it knows no region, or nobody to call as. */
export function awsAdvice(message: string): string {
  if (/region/i.test(message)) return 'No region is set: set AWS_REGION, or one for the profile';
  return `AWS does not know you: set AWS_PROFILE, or sign in (aws sso login). It says: ${message}`;
}

/** Whether it is about what only its user can set; the SDK has no class for the first of these. */
export const isUnsetForAws = ({ name, message }: Error): boolean =>
  message === 'Region is missing' || name === 'CredentialsProviderError';
