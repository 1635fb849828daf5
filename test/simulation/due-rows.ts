/** When waiting rows are due, by table. */
export class DueRows {
  readonly #tables = new Map<string, Map<string, number>>();

  follow(table: string, id: string, row: Readonly<Record<string, unknown>> | undefined): void {
    const due = this.#tables.get(table) ?? new Map<string, number>();
    this.#tables.set(table, due);
    if (row?.active === undefined) due.delete(id);
    else due.set(id, typeof row.due_at === 'number' ? row.due_at : Number.POSITIVE_INFINITY);
  }

  isAnyBefore(table: string, moment: number): boolean {
    return (
      this.#tables
        .get(table)
        ?.values()
        .some((due) => due < moment) ?? false
    );
  }
}
