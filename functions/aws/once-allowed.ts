const ATTEMPTS = 13;
const PAUSE = 5_000;

/**
 * Repeats work for a minute while AWS denies it. A right that a deployment has just added to a role takes effect some
 * seconds after CloudFormation has called it done.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 */
export async function onceAllowed<T>(
  work: () => Promise<T>,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isDenial(error)) throw error;
      await pause(PAUSE);
    }
  }
}

const isDenial = (error: unknown) => error instanceof Error && error.name === 'AccessDeniedException';
