import { type PGlite, parse, protocol, type Results } from "@electric-sql/pglite";

const { serialize } = protocol;

/** The messages after a bind, sent with it in one call into WebAssembly; PGlite's own `query` takes six calls. */
const afterBind = [serialize.describe({ type: "P" }), serialize.execute({}), serialize.sync()];

/** Prepared statements of the embedded database's one session, by name. */
export class EmbeddedStatements {
  readonly #database: PGlite;
  /** Types of their parameters, as determined by PostgreSQL. */
  readonly #parameterTypes = new Map<string, readonly number[]>();

  constructor(database: PGlite) {
    this.#database = database;
  }

  /**
   * Runs a statement. The first time its text is parsed, and described so that values are written as PGlite writes them.
   * @param values one for each parameter
   * @throws DatabaseError as `query` does
   */
  async run(name: string, text: string, values: readonly unknown[]): Promise<Results | undefined> {
    const types = this.#parameterTypes.get(name) ?? (await this.#prepare(name, text));
    const written = values.map((value, position) => {
      if (value === null || value === undefined) return null;
      const write = this.#database.serializers[types[position] ?? 0];
      return write ? write(value) : String(value);
    });
    const messages = await this.#send([serialize.bind({ statement: name, values: written }), ...afterBind]);
    return parse.parseResults(messages, this.#database.parsers)[0];
  }

  async #prepare(name: string, text: string): Promise<readonly number[]> {
    const messages = await this.#send([
      serialize.parse({ name, text }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    ]);
    const types = parse.parseDescribeStatementResults(messages);
    this.#parameterTypes.set(name, types);
    return types;
  }

  #send(messages: readonly Uint8Array[]) {
    return this.#database.runExclusive(() =>
      this.#database.execProtocolStream(Buffer.concat(messages), { syncToFs: false }),
    );
  }
}
