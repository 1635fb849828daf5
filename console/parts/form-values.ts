/** What stands in a field of a form, without the space around it; undefined where it is empty. */
export function textIn(form: HTMLFormElement, name: string): string | undefined {
  const value = new FormData(form).get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function numberIn(form: HTMLFormElement, name: string): number | undefined {
  const text = textIn(form, name);
  return text === undefined ? undefined : Number(text);
}
