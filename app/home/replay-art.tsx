/** A drawn moment of a round: what a clip looks like, before anyone has played one. */
export function ReplayArt() {
  return (
    <svg viewBox="0 0 560 360" aria-hidden="true" className="w-full max-lg:max-h-64">
      <defs>
        <linearGradient id="floor" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#2b3f5e" />
          <stop offset="1" stopColor="#16202f" />
        </linearGradient>
        <radialGradient id="smoke">
          <stop offset="0" stopColor="#c6cfdb" stopOpacity="0.85" />
          <stop offset="0.7" stopColor="#a4b0c0" stopOpacity="0.5" />
          <stop offset="1" stopColor="#a4b0c0" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="cone" x1="0" x2="1">
          <stop offset="0" stopColor="#5db2ff" stopOpacity="0.5" />
          <stop offset="1" stopColor="#5db2ff" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path
        d="M34 92q4-34 42-40l92-10q30-4 46 14l20 18q14 10 34 8l84-10q28-4 44 12t44 12l56-2q34 0 38 30l2 128q0 36-36 40l-150 10q-30 2-46-18t-46-16l-68 10q-28 4-44 18t-42 14H82q-36 0-40-34Z"
        fill="url(#floor)"
        stroke="#9db8dc"
        strokeOpacity="0.75"
        strokeWidth="2.5"
      />
      <g fill="#070a11" stroke="#9db8dc" strokeOpacity="0.6" strokeWidth="2">
        <path d="M150 128q4-14 22-14h36q20 0 20 18v26q0 16-18 16h-42q-20 0-20-20Z" />
        <path d="M318 196q2-16 20-16h66q16 0 16 16v20q0 14-16 14h-70q-16 0-16-16Z" />
        <ellipse cx="118" cy="252" rx="34" ry="20" />
      </g>
      <g fill="none" stroke="#fff" strokeOpacity="0.07" strokeWidth="1.5">
        <path d="M60 120q60-50 140-30t150 0 150 40M60 200q80 30 170 0t150-60 130 30M70 290q90-20 160-70t150 40 120-20" />
      </g>
      <path d="M116 196 272 150l-8 74Z" fill="url(#cone)" opacity="0.7" />
      <g strokeLinecap="round">
        <path d="m128 194 296-58" stroke="#fff2d8" strokeWidth="2.5" />
        <path d="m128 194 296-58" stroke="#5db2ff" strokeWidth="7" opacity="0.28" />
        <path d="m470 262-96 20" stroke="#ffb84d" strokeWidth="2" opacity="0.7" />
      </g>
      <circle cx="280" cy="262" r="56" fill="url(#smoke)" />
      <circle cx="318" cy="282" r="40" fill="url(#smoke)" />
      <Player x={116} y={196} color="#5db2ff" followed />
      <Player x={190} y={304} color="#5db2ff" />
      <Player x={470} y={262} color="#ffb84d" />
      <Player x={500} y={160} color="#ffb84d" />
      <path d="m418 128 14 14m0-14-14 14" stroke="#ff5a67" strokeWidth="4" strokeLinecap="round" />
      <g transform="translate(372 22)">
        <rect width="166" height="34" rx="7" fill="#070a11" fillOpacity="0.9" stroke="#34466a" />
        <circle cx="20" cy="17" r="5" fill="#5db2ff" />
        <path d="M36 17h28" stroke="#5db2ff" strokeWidth="6" strokeLinecap="round" />
        <path d="M76 21v-5h22l3-3h10v4h-7l-3 4Z" fill="#eef3fb" />
        <path d="M122 17h28" stroke="#ffb84d" strokeWidth="6" strokeLinecap="round" />
      </g>
      <g transform="translate(22 22)" fill="#070a11" fillOpacity="0.9" stroke="#34466a">
        <rect width="118" height="34" rx="7" />
        <text
          x="59"
          y="24"
          textAnchor="middle"
          fill="#ff5a67"
          stroke="none"
          fontSize="19"
          fontWeight="700"
          className="font-display"
        >
          1V3 CLUTCH
        </text>
      </g>
      <g transform="translate(40 330)">
        <rect width="480" height="4" rx="2" fill="#223049" />
        <rect width="286" height="4" rx="2" fill="#ff5a67" />
        <circle cx="286" cy="2" r="8" fill="#ff5a67" />
        {[92, 188, 286, 402].map((x) => (
          <rect key={x} x={x} y="-5" width="3" height="14" fill="#eef3fb" opacity="0.8" />
        ))}
      </g>
    </svg>
  );
}

function Player({ x, y, color, followed }: { x: number; y: number; color: string; followed?: boolean }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      {followed ? (
        <circle r="21" fill="none" stroke="#fff" strokeWidth="2" strokeDasharray="6 5" opacity="0.8" />
      ) : null}
      <circle r="12" fill={color} stroke="#070a11" strokeWidth="4" />
      <circle
        r="13.5"
        fill="none"
        stroke="#4fd892"
        strokeWidth="2.5"
        strokeDasharray={followed ? "30 100" : "60 100"}
      />
    </g>
  );
}
