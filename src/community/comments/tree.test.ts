import { describe, expect, test } from "vitest";
import { MAX_LEVELS, type Placed, writeTrees } from "./tree.ts";

interface Node {
  id: number;
  children: Node[];
}

const text = ({ id }: Placed) => `{"id":${id}`;
const trees = (rows: Placed[], roots = rows.filter(({ parent_id }) => parent_id === null)): Node[] =>
  writeTrees(roots, rows, text).map((tree) => JSON.parse(tree) as Node);
const comment = (id: number, parent_id: number | null = null): Placed => ({ id, parent_id });
const idsOf = (nodes: Node[]): number[] => nodes.map(({ id }) => id);

describe("comments written as trees", () => {
  test("stand under what they answer, by number on every level", () => {
    const rows = [comment(1), comment(2), comment(3, 1), comment(4, 2), comment(5, 1), comment(6, 3)];
    expect(trees(rows)).toEqual([
      {
        id: 1,
        children: [
          { id: 3, children: [{ id: 6, children: [] }] },
          { id: 5, children: [] },
        ],
      },
      { id: 2, children: [{ id: 4, children: [] }] },
    ]);
  });

  test("may have lower numbers than what they answer", () => {
    const rows = [comment(1, 9), comment(2, 1), comment(9)];
    expect(trees(rows)).toEqual([{ id: 9, children: [{ id: 1, children: [{ id: 2, children: [] }] }] }]);
  });

  test("begin at any comment", () => {
    const rows = [comment(1), comment(2, 1), comment(3, 2), comment(4, 1)];
    expect(trees(rows, [comment(2, 1)])).toEqual([{ id: 2, children: [{ id: 3, children: [] }] }]);
  });

  test(`have ${MAX_LEVELS} levels, and what hangs deeper is listed under the last by number`, () => {
    const chain = Array.from({ length: 60 }, (_, index) => comment(index + 1, index === 0 ? null : index));
    // Two more answers, one of them to a comment that is too deep already.
    const rows = [...chain, comment(61, MAX_LEVELS), comment(62, 55)];
    let node = trees(rows)[0] as Node;
    for (let level = 1; level < MAX_LEVELS; level += 1) {
      expect([node.id, node.children.length]).toEqual([level, 1]);
      node = node.children[0] as Node;
    }
    expect([node.id, idsOf(node.children)]).toEqual([50, [51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62]]);
    expect(node.children.flatMap(({ children }) => children)).toEqual([]);
  });

  test("are written however long the chain of answers is", () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => comment(index + 1, index === 0 ? null : index));
    let node = trees(rows)[0] as Node;
    while (node.children.length === 1) node = node.children[0] as Node;
    expect(node.children).toHaveLength(50_000 - MAX_LEVELS);
  });
});
