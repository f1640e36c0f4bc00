rep movs BYTE PTR es:[rdi],BYTE PTR ds:[rsi]
