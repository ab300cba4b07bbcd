import { test as base, expect } from "playwright/test";
import { newVisitor, type Visitor, type VisitorOptions } from "../services/browser.ts";
import { hearConsole, takeComplaints } from "../services/heard-console.ts";
import { type PopulatedProduct, startPopulatedProduct } from "../services/populated-product.ts";

export { expect };

interface ForOneTest {
  /** The product in this process, with players in every state. Interceptions of its API end with the test. */
  product: PopulatedProduct;
  /** The address that visitors open: the populated product's, unless a file has another one. */
  address: string;
  /**
   * Opens the browser of a new visitor, with an empty cookie jar or `as` a player who has signed in. It is closed when the test ends in any
   * way; a test that closes its context earlier means that the visitor has left.
   */
  visit(options?: VisitorOptions & { address?: string }): Promise<Visitor>;
  /** Warnings in the product's log, line by line, from here on. They are not printed. */
  serverWarnings: string[];
  /** The same for errors. */
  serverErrors: string[];
  noComplaints: undefined;
}

interface ForOneProcess {
  /** The product for the tests of a file, in its initial state for the first of them. */
  productOf(file: string): Promise<PopulatedProduct>;
}

/**
 * Browser tests. Each file begins with the populated product in its initial state: the process goes on, server and database restart with a
 * copy of the data. After a failed test Playwright starts a new process, so what a broken test leaves behind affects no other.
 */
export const test = base.extend<ForOneTest, ForOneProcess>({
  productOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs.
    async ({}, use) => {
      const product = await startPopulatedProduct();
      let lastFile: string | undefined;
      await use(async (file) => {
        if (lastFile !== undefined && lastFile !== file) await product.begin();
        lastFile = file;
        return product;
      });
      await product.close();
    },
    // The first one of a build imports a match and renders a clip.
    { scope: "worker", timeout: 600_000 },
  ],
  product: async ({ productOf }, use, { file }) => {
    const product = await productOf(file);
    await use(product);
    product.endInterceptions();
  },
  address: async ({ product }, use) => use(product.url),
  visit: async ({ browser, address }, use) => {
    const visitors: Visitor[] = [];
    await use(async (options = {}) => {
      const visitor = await newVisitor(browser, options.address ?? address, options);
      visitors.push(visitor);
      return visitor;
    });
    for (const { context } of visitors) await context.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  serverWarnings: async ({}, use) => {
    const { lines, end } = hearConsole("warn");
    await use(lines);
    end();
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  serverErrors: async ({}, use) => {
    const { lines, end } = hearConsole("error");
    await use(lines);
    end();
  },
  noComplaints: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      await use(undefined);
      expect(takeComplaints(), "complaints in the server's log").toEqual([]);
    },
    { auto: true },
  ],
});
