import type { Day } from "./queries.ts";

const [WIDTH, HEIGHT] = [640, 160];
const LINES = ["people", "articles", "comments"] as const;

/** Its table says the same. */
export function Chart({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.flatMap((day) => LINES.map((line) => day[line])));
  const lines = LINES.map((line) => ({
    line,
    total: days.reduce((sum, day) => sum + day[line], 0),
    points: days
      .map(
        (day, index) =>
          `${Math.round((index * WIDTH) / 29)},${Math.round(HEIGHT - (day[line] * HEIGHT) / most)}`,
      )
      .join(" "),
  }));
  return (
    <figure class="chart">
      <svg
        viewBox={`-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`}
        role="img"
        aria-label="New people, articles and comments"
      >
        {lines.map(({ line, points }) => (
          <polyline class={line} points={points} />
        ))}
      </svg>
      <figcaption>
        {lines.map(({ line, total }) => (
          <span>
            <svg width="28" height="8" aria-hidden="true">
              <polyline class={line} points="0,4 28,4" />
            </svg>
            {` ${total} ${line}`}
          </span>
        ))}
      </figcaption>
      <Table days={days} />
    </figure>
  );
}

const Table = ({ days }: { days: readonly Day[] }) => (
  <details>
    <summary>As a table</summary>
    <table>
      <tr>
        {["day", ...LINES].map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
      {days.map((each) => (
        <tr>
          <th scope="row">{each.day}</th>
          {LINES.map((line) => (
            <td>{each[line]}</td>
          ))}
        </tr>
      ))}
    </table>
  </details>
);
