const NAME = 'genway.key';

/** The key lives as long as the tab, and no other tab sees it. */
export const keptKey = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;
export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);

/** All that the console keeps is of the session that ends. */
export const forgetKey = (): void => sessionStorage.clear();
