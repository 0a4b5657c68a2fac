const middle = [90, 190, 290, 390];
const leaves = [50, 110, 160, 220, 270, 330, 370, 430];

/** A line with rounded corners from one point down to another, as in an organisation chart. */
function branch(fromX: number, fromY: number, toX: number, toY: number): string {
  const turn = toX > fromX ? 10 : -10;
  const bend = fromY + 55;
  return `M${fromX} ${fromY}V${bend - 10}Q${fromX} ${bend} ${fromX + turn} ${bend}H${toX - turn}Q${toX} ${bend} ${toX} ${bend + 10}V${toY}`;
}

/** A decorative tree of people; inline SVG, so that no picture is loaded. */
export const TreeArt = ({ className }: { className: string | undefined }) => (
  <svg className={className} viewBox="0 0 480 330" fill="none">
    <g stroke="currentColor" strokeOpacity=".38" strokeWidth="1.5">
      {middle.map((x) => (
        <path key={x} d={branch(240, 50, x, 150)} />
      ))}
      {leaves.map((x, index) => (
        <path key={x} d={branch(middle[index >> 1] ?? 0, 150, x, 250)} />
      ))}
    </g>
    <g fill="currentColor">
      <circle cx={240} cy={50} r={24} />
      {middle.map((x) => (
        <circle key={x} cx={x} cy={150} r={17} fill="#9ccfc6" />
      ))}
      {leaves.map((x) => (
        <circle key={x} cx={x} cy={250} r={11} fill="#6fb0a5" />
      ))}
    </g>
    <circle cx={290} cy={150} r={17} fill="#f5b263" />
    <circle cx={110} cy={250} r={11} fill="#f5b263" />
  </svg>
);
