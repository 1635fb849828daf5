export function importTest(
  path: string,
  asked: {
    globalsFor: (path: string) => object;
    mockOf: (url: string) => object | undefined;
    isMeasured: boolean;
  },
): Promise<string>;
