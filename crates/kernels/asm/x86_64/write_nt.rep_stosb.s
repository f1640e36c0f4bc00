rep stos BYTE PTR es:[rdi],al
