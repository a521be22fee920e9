/** The part of Node.js 24's SQLite that the bench uses: the types of the oldest supported Node.js lack it. */
declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): StatementSync;
  }
  export interface StatementSync {
    run(...values: (string | number)[]): void;
    all(...values: (string | number)[]): Record<string, unknown>[];
  }
}
