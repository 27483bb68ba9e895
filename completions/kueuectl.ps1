# PowerShell completion for kubectl-kueue and kueuectl
#   kubectl-kueue completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'kubectl-kueue', 'kueuectl' -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $words = @($CommandAst.CommandElements |
        Where-Object { $_.Extent.StartOffset -lt $CursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $program = $words[0]
    if (-not (Get-Command $program -CommandType Application -ErrorAction SilentlyContinue)) {
        $program = 'kubectl-kueue'
    }
    $before = @($words | Select-Object -Skip 1)
    $current = "$WordToComplete"
    if ($current -ne '' -and $before.Count -gt 0) {
        $current = $before[-1]
        $before = @($before | Select-Object -SkipLast 1)
    }
    # Older versions drop an empty word; the program takes two quotation marks for one.
    $last = if ($current -eq '') { '""' } else { $current }
    $answer = @(& $program __complete @before $last 2>$null)
    if ($answer.Count -eq 0 -or $answer[-1] -notmatch '^:(\d+)$') { return }
    $mask = [int]$Matches[1]
    if ($mask -band 1) { return }

    # Values come without the flag before them.
    $flag = ''
    if ($current -match '^(-[^=]*=)') { $flag = $Matches[1] }
    $space = if ($mask -band 2) { '' } else { ' ' }
    $found = @($answer | Select-Object -SkipLast 1)
    if (($mask -band 8) -or ($mask -band 16) -or ($found.Count -eq 0 -and -not ($mask -band 4))) {
        $value = $current.Substring($flag.Length)
        Get-ChildItem -Path "$value*" -ErrorAction SilentlyContinue |
            Where-Object { $_.PSIsContainer -or -not ($mask -band 24) -or
                (($mask -band 8) -and $found -contains $_.Extension.TrimStart('.')) } |
            ForEach-Object {
                $folder = Split-Path -Path $value
                $path = if ($folder) { Join-Path $folder $_.Name } else { $_.Name }
                if ($path -match '[\s''`$;&|(){}]') { $path = "'" + $path.Replace("'", "''") + "'" }
                [System.Management.Automation.CompletionResult]::new(
                    "$flag$path", $_.Name, 'ProviderItem', $_.Name)
            }
        return
    }
    foreach ($line in $found) {
        $value, $text = $line -split "`t", 2
        if (-not $text) { $text = $value }
        $typed = "$flag$value"
        if ($typed -match '[\s''`$;&|(){}@#,]') { $typed = "'" + $typed.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new("$typed$space", $value, 'ParameterValue', $text)
    }
}
