type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Without the fields that are undefined: these are left out of a request. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const kept: Present<Fields> = { ...fields };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}
